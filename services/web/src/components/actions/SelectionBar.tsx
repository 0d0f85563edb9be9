import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelection } from '../selection/Selection.tsx';
import type { SelectionBarProps } from './SelectedActions.tsx';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';

const SelectedActions = lazyComponent('SelectedActions', () => import('./SelectedActions.tsx'));

/** Action bar that covers the app bar while items are selected. Announces their number to screen readers. */
export const SelectionBar = (props: SelectionBarProps) => {
  const { t } = useTranslation('collections');
  const { ids } = useSelection();
  return (
    <>
      <p role="status" className="visually-hidden">
        {ids.size > 0 && t('selection.count', { count: ids.size })}
      </p>
      {ids.size > 0 && (
        <Suspense>
          <SelectedActions {...props} />
        </Suspense>
      )}
    </>
  );
};
