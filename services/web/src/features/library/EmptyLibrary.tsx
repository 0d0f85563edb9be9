import { ImagePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/EmptyState.tsx';
import styles from './EmptyLibrary.module.css';

/** How to begin, when there is not one photo yet. */
export const EmptyLibrary = ({ begin }: { readonly begin: ReactNode }) => {
  const { t } = useTranslation('library');
  return (
    <EmptyState icon={ImagePlus} title={t('empty.title')} action={begin}>
      <div className={styles['text']}>
        <p>{t('empty.text')}</p>
        <p>
          <Trans t={t} i18nKey="empty.apps">
            Phones … <a href="/openapi.json">/openapi.json</a>.
          </Trans>
        </p>
      </div>
    </EmptyState>
  );
};
