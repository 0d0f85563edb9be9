import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/controls/IconButton.tsx';
import { isPlanBusy, isPlanSettled } from '../plan/uploadPlan.ts';
import type { UploadSnapshot } from '../engine/uploadEngine.ts';
import { uploadEngine } from '../engine/uploadStore.ts';
import { UploadLists } from './UploadLists.tsx';
import { UploadNotice } from './UploadNotice.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import styles from './UploadView.module.css';

/** Collapsible upload panel in a corner of the page. On small screens, it fills the screen while it is expanded. */
export const UploadView = ({ uploads }: { readonly uploads: UploadSnapshot }) => {
  const { t } = useTranslation('uploads');
  const [isOpen, setIsOpen] = useState(false);
  const { plan, progress, isPaused, isCollecting } = uploads;
  const isBusy = isPlanBusy(plan);
  const isStopped = isPaused || uploads.haltedBy !== undefined;

  const heading = (): string => {
    const counts = { count: progress.files, settled: progress.settledFiles };
    if (isCollecting) return t('heading.collecting', { count: progress.files });
    if (isPlanSettled(plan)) return t('heading.settled');
    if (!isBusy) return t('heading.unfinished', counts);
    return isStopped ? t('heading.paused', counts) : t('heading.uploading', counts);
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    setIsOpen(false);
  };

  return (
    // Escape duplicates the collapse button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles['view']}
      data-uploads
      data-open={isOpen || undefined}
      aria-label={t('title')}
      onKeyDown={handleKeyDown}
    >
      <header className={styles['header']}>
        <h2 className={styles['heading']}>{heading()}</h2>
        {isBusy && (
          <IconButton
            icon={isStopped ? Play : Pause}
            label={t(isStopped ? 'resume' : 'pause')}
            onClick={() => void uploadEngine().then((engine) => (isStopped ? engine.resume() : engine.pause()))}
          />
        )}
        <IconButton
          icon={isOpen ? ChevronDown : ChevronUp}
          label={t(isOpen ? 'collapse' : 'expand')}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
        {!isBusy && (
          <IconButton
            icon={X}
            label={t('clear')}
            onClick={() => void uploadEngine().then((engine) => engine.clear())}
          />
        )}
      </header>
      {!isPlanSettled(plan) && <UploadProgress uploads={uploads} />}
      <UploadNotice uploads={uploads} />
      {isOpen && <UploadLists plan={plan} />}
    </section>
  );
};
