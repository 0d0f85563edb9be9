import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import { isPlanBusy } from '../plan/uploadPlan.ts';
import type { UploadSnapshot } from '../engine/uploadEngine.ts';
import { uploadEngine } from '../engine/uploadStore.ts';
import styles from './UploadView.module.css';

export const UploadNotice = ({ uploads }: { readonly uploads: UploadSnapshot }) => {
  const { t } = useTranslation('uploads');
  const { haltedBy, heldBy, plan, progress, restorableFiles } = uploads;
  if (haltedBy === 'storageFull' || haltedBy === 'quotaExceeded' || haltedBy === 'signedOut') {
    return <p className={styles['notice']}>{t(`halted.${haltedBy}`)}</p>;
  }
  if (isPlanBusy(plan) && (heldBy === 'unreachable' || heldBy === 'busy')) {
    return <p className={styles['notice']}>{t(`held.${heldBy}`)}</p>;
  }
  if (plan.tallies.missing.files === 0 || uploads.isCollecting) return null;
  if (restorableFiles === 0) {
    return (
      <p className={styles['notice']}>{t('missing.drop', { count: progress.files, settled: progress.settledFiles })}</p>
    );
  }
  return (
    <div className={styles['notice']}>
      <p>{t('missing.ask', { count: restorableFiles })}</p>
      <Button variant="primary" onClick={() => void uploadEngine().then((engine) => engine.requestMissingFiles())}>
        {t('missing.action')}
      </Button>
    </div>
  );
};
