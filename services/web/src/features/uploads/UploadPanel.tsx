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

/** How long the page is left alone before it is looked up what an earlier visit has left unfinished. */
const restoreAfterMs = 1500;

/** Takes what is dropped or pasted anywhere, and shows what is being uploaded. */
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

/** “128 added, 12 were already there, 3 not taken”, without what did not happen. */
const summaryText = (summary: UploadSummary, t: TFunction<'uploads'>, language: string): string => {
  const parts = [
    summary.added > 0 && t('summary.added', { count: summary.added }),
    summary.existing > 0 && t('summary.existing', { count: summary.existing }),
    summary.refused > 0 && t('summary.refused', { count: summary.refused }),
  ];
  const said = parts.filter((part) => part !== false);
  return new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(said);
};

/** Below so many files the beginning and the end are news enough. */
const manyFiles = 20;

/** Tells people who listen to the page that something is being uploaded, and at each quarter how far it has come. The end is told by a toast. */
const UploadAnnouncer = ({ uploads }: { readonly uploads: UploadSnapshot | undefined }) => {
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
