import { ImagePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** How to begin, when there is not one photo yet. */
export const EmptyLibrary = ({ begin }: { readonly begin: ReactNode }) => {
  const { t } = useTranslation('library');
  return (
    <EmptyState icon={ImagePlus} title={t('empty.title')} action={begin}>
      <p>{t('empty.text')}</p>
    </EmptyState>
  );
};
