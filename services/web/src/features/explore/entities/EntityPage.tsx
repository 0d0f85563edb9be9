import { Ellipsis, Image, type LucideIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MediaCollection } from '../../../components/viewer/MediaCollection.tsx';
import type { MediaSource } from '../../../lib/items/mediaSource.ts';
import { EmptyState } from '../../../components/page/EmptyState.tsx';
import { IconButton } from '../../../components/controls/IconButton.tsx';
import { Menu } from '../../../components/overlays/Menu.tsx';
import { PageHeader } from '../../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../../lib/browser/useDocumentTitle.ts';
import type { ExploredKind } from './CoverDialog.tsx';
import { lazyComponent } from '../../../lib/browser/lazyComponent.ts';

const CoverDialog = lazyComponent('CoverDialog', () => import('./CoverDialog.tsx'));

export const EntityPage = (props: {
  readonly kind: ExploredKind;
  readonly id: string;
  /** Undefined while loading. */
  readonly name: string | undefined;
  readonly description?: string | undefined;
  readonly coverMediaItemId: string | undefined;
  readonly icon: LucideIcon;
  readonly source: MediaSource;
}) => {
  const { t } = useTranslation('explore');
  const [isChoosing, setIsChoosing] = useState(false);
  useDocumentTitle(props.name);
  return (
    <>
      <PageHeader
        title={props.name ?? '\u00a0'}
        menu={
          <Menu
            trigger={<IconButton icon={Ellipsis} label={t('more')} />}
            items={[{ label: t('coverChoose'), icon: Image, onSelect: () => setIsChoosing(true) }]}
          />
        }
      >
        {props.description !== undefined && props.description !== '' && <p>{props.description}</p>}
      </PageHeader>
      <MediaCollection
        source={props.source}
        label={props.name ?? t(props.kind)}
        kind={{ name: 'library' }}
        empty={<EmptyState icon={props.icon} title={t('entityEmpty')} />}
      />
      {isChoosing && (
        <Suspense>
          <CoverDialog
            kind={props.kind}
            id={props.id}
            source={props.source}
            coverMediaItemId={props.coverMediaItemId}
            onClose={() => setIsChoosing(false)}
          />
        </Suspense>
      )}
    </>
  );
};
