import { Link } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listSharedFiles, removeSharedFiles, type StoredFile } from '../../lib/browser/sharedFiles.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { FileThumbnails } from './FileThumbnails.tsx';
import styles from './ShareTargetPage.module.css';
import { uploadEngine } from './engine/uploadStore.ts';

type Step =
  | 'reading'
  | 'taking'
  | 'refused'
  | 'failed'
  | { readonly asking: readonly StoredFile[] }
  | { readonly taken: number };

/**
 * Shows the files shared from another app and uploads them after confirmation. The confirmation is required because any
 * web page can post files here.
 */
export const ShareTargetPage = () => {
  const { t } = useTranslation('uploads');
  const [step, setStep] = useState<Step>('reading');
  useEffect(() => {
    listSharedFiles().then(
      (files) => setStep(files.length === 0 ? { taken: 0 } : { asking: files }),
      () => setStep('failed'),
    );
  }, []);

  const pendingFiles = typeof step === 'object' && 'asking' in step ? step.asking : [];
  const keys = pendingFiles.map(({ key }) => key);
  const handleUpload = (): void => {
    setStep('taking');
    uploadEngine()
      .then(async (engine) => engine.addShared(keys))
      .then(
        (accepted) => setStep({ taken: accepted }),
        () => setStep('failed'),
      );
  };
  const handleRefuse = (): void => {
    removeSharedFiles(keys).then(
      () => setStep('refused'),
      () => setStep('failed'),
    );
  };
  const text = (): string => {
    if (step === 'reading' || step === 'taking') return t('shared.taking');
    if (step === 'refused') return t('shared.refused');
    if (step === 'failed') return t('failedToStart');
    if ('asking' in step) return t('shared.question', { count: step.asking.length });
    return step.taken === 0 ? t('shared.nothing') : t('shared.taken', { count: step.taken });
  };
  return (
    <EmptyState
      isPage
      icon={Share2}
      title={t('shared.title')}
      action={
        pendingFiles.length > 0 ? (
          <div className={styles['answers']}>
            <Button variant="primary" onClick={handleUpload}>
              {t('shared.upload')}
            </Button>
            <Button onClick={handleRefuse}>{t('shared.refuse')}</Button>
          </div>
        ) : (
          <Link to="/">{t('shared.action')}</Link>
        )
      }
    >
      <p role="status">{text()}</p>
      {pendingFiles.length > 0 && <FileThumbnails files={pendingFiles} />}
    </EmptyState>
  );
};
