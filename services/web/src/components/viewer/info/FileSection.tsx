import { FileImage } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../lib/i18n/formatBytes.ts';
import { formatLocale } from '../../../lib/i18n/formatLocale.ts';
import type { ViewedItem } from '../item/viewedItem.ts';
import { playingTime } from '../../../lib/i18n/playingTime.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';

/** The file: its name, its size, its pixels, how long it plays. */
export const FileSection = ({ item }: { readonly item: ViewedItem }) => {
  const { t, i18n } = useTranslation('viewer');
  const locale = formatLocale(i18n.language);
  const number = (value: number): string => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value);
  const { width, height, megapixels, sizeBytes, durationSeconds, fps } = item;
  const facts = [
    width !== undefined && height !== undefined && `${width} × ${height}`,
    megapixels !== undefined && megapixels >= 0.1 && t('info.megapixels', { number: number(megapixels) }),
    sizeBytes !== undefined && formatBytes(sizeBytes, locale),
    durationSeconds !== undefined && playingTime(durationSeconds),
    fps !== undefined && t('info.fps', { number: number(fps) }),
  ].filter((fact) => fact !== false);
  if (facts.length === 0 && item.filename === undefined) return null;
  return (
    <InfoRow icon={FileImage} label={t('info.file')}>
      {item.filename !== undefined && <p>{item.filename}</p>}
      <p className={styles['muted']}>{facts.join('  ·  ')}</p>
    </InfoRow>
  );
};
