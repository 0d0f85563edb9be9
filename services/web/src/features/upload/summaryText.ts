import type { TFunction } from 'i18next';
import type { UploadSummary } from './engine/uploadSnapshot.ts';

/** “128 added, 12 were already there, 3 not taken”, without what did not happen. */
export const summaryText = (summary: UploadSummary, t: TFunction<'upload'>, language: string): string => {
  const parts = [
    summary.added > 0 && t('summary.added', { count: summary.added }),
    summary.existing > 0 && t('summary.existing', { count: summary.existing }),
    summary.refused > 0 && t('summary.refused', { count: summary.refused }),
  ];
  const said = parts.filter((part) => part !== false);
  return new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(said);
};
