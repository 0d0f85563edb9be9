import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../lib/api/useSession.ts';
import { toasts } from '../../components/overlays/toasts.ts';
import { addFiles } from './addFiles.ts';
import { collectTransfer } from './files/collectFiles.ts';
import styles from './UploadPanel.module.css';
import { restoreUploads, subscribeToSummaries, useUploads, useIsUploading } from './engine/uploadStore.ts';
import { useFileDrop } from './useFileDrop.ts';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import type { TFunction } from 'i18next';
import type { UploadSummary, UploadSnapshot } from './engine/uploadEngine.ts';
import { isPlanBusy } from './plan/uploadPlan.ts';

const UploadView = lazyComponent('UploadView', () => import('./view/UploadView.tsx'));

/** Delay before looking up unfinished uploads of an earlier visit, in ms. */
const restoreAfterMs = 1500;

/** Accepts files dropped or pasted anywhere on the page, and shows the uploads. */
export const UploadPanel = () => {
  const { t, i18n } = useTranslation('uploads');
  const uploads = useUploads();
  const isOver = useFileDrop((transfer) => void addFiles(collectTransfer(transfer)));
  const isSignedIn = useSession().kind === 'signedIn';
  const isBusy = useIsUploading();

  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(() => void restoreUploads().catch(() => undefined), restoreAfterMs);
    return () => clearTimeout(timer);
  }, [isSignedIn]);
  useEffect(
    () => subscribeToSummaries((summary) => toasts.add({ title: summaryText(summary, t, i18n.language) })),
    [t, i18n.language],
  );
  useEffect(() => {
    if (!isBusy) return;
    const handleLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', handleLeave);
    return () => removeEventListener('beforeunload', handleLeave);
  }, [isBusy]);

  return (
    <>
      {isOver && (
        <div className={styles['over']} aria-hidden>
          <p>{t('drop')}</p>
        </div>
      )}
      <UploadAnnouncer uploads={uploads} />
      {uploads !== undefined && (
        <Suspense>
          <UploadView uploads={uploads} />
        </Suspense>
      )}
    </>
  );
};

/** “128 added, 12 already in your library, 3 not uploaded”, without zero counts. */
const summaryText = (summary: UploadSummary, t: TFunction<'uploads'>, language: string): string => {
  const parts = [
    summary.added > 0 && t('summary.added', { count: summary.added }),
    summary.existing > 0 && t('summary.existing', { count: summary.existing }),
    summary.refused > 0 && t('summary.refused', { count: summary.refused }),
  ];
  const announced = parts.filter((part) => part !== false);
  return new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(announced);
};

/** Minimum number of files for progress announcements. */
const minFilesForPercent = 20;

/** Announces the start of uploads to screen readers, and each quarter of the progress. A toast reports the end. */
const UploadAnnouncer = ({ uploads }: { readonly uploads: UploadSnapshot | undefined }) => {
  const { t, i18n } = useTranslation('uploads');
  return (
    <p className="visually-hidden" aria-live="polite">
      {getMessage()}
    </p>
  );

  function getMessage(): string {
    if (uploads === undefined) return '';
    const { plan, progress, haltedBy, heldBy } = uploads;
    if (haltedBy === 'storageFull' || haltedBy === 'quotaExceeded') return t(`halted.${haltedBy}`);
    if (heldBy === 'unreachable' || heldBy === 'busy') return t(`held.${heldBy}`);
    if (uploads.isCollecting || !isPlanBusy(plan)) return '';
    const quarter = Math.floor((4 * progress.settledBytes) / Math.max(1, progress.bytes)) / 4;
    if (quarter === 0 || progress.files < minFilesForPercent) return t('announce.began', { count: progress.files });
    return t('announce.percent', {
      percent: new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(quarter),
    });
  }
};
