import type { TextLine } from '@hearth/contract/mediaItem.ts';
import { ChevronDown, TextSelect } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { InfoRow } from './InfoRow.tsx';
import styles from './FoldedSection.module.css';

/** Lines that are shown at once; more are folded up, so that a page of a book does not push the rest out of the panel. */
const mostOpen = 6;

/** The text that was read in it, to be read and copied. */
export const TextSection = ({ lines }: { readonly lines: readonly TextLine[] }) => {
  const { t } = useTranslation('viewer');
  return (
    <InfoRow icon={TextSelect} label={t('info.text')}>
      <details className={styles['details']} open={lines.length <= mostOpen}>
        <summary className={styles['summary']}>
          {t('info.text')}
          <ChevronDown aria-hidden size={20} className={styles['chevron']} />
        </summary>
        <p className={styles['text']}>{lines.map(({ text }) => text).join('\n')}</p>
      </details>
    </InfoRow>
  );
};
