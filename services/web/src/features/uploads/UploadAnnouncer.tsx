import { useTranslation } from 'react-i18next';
import { isPlanBusy } from './plan/uploadPlan.ts';
import type { UploadSnapshot } from './engine/uploadSnapshot.ts';

/** Below so many files the beginning and the end are news enough. */
const manyFiles = 20;

/** Tells people who listen to the page that something is being uploaded, and at each quarter how far it has come. The end is told by a toast. */
export const UploadAnnouncer = ({ uploads }: { readonly uploads: UploadSnapshot | undefined }) => {
  const { t, i18n } = useTranslation('uploads');
  return (
    <p className="visually-hidden" aria-live="polite">
      {textOf()}
    </p>
  );

  function textOf(): string {
    if (uploads === undefined) return '';
    const { plan, progress, haltedBy, heldBy } = uploads;
    if (haltedBy === 'storageFull' || haltedBy === 'quotaExceeded') return t(`halted.${haltedBy}`);
    if (heldBy === 'unreachable' || heldBy === 'busy') return t(`held.${heldBy}`);
    if (uploads.isCollecting || !isPlanBusy(plan)) return '';
    const quarter = Math.floor((4 * progress.settledBytes) / Math.max(1, progress.bytes)) / 4;
    if (quarter === 0 || progress.files < manyFiles) return t('announce.began', { count: progress.files });
    return t('announce.percent', {
      percent: new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(quarter),
    });
  }
};
