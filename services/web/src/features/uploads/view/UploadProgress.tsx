import { Progress } from '@base-ui/react/progress';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../lib/i18n/formatBytes.ts';
import type { UploadSnapshot } from '../engine/uploadSnapshot.ts';
import { formatDuration } from './formats.ts';
import styles from './UploadProgress.module.css';

/** How many bytes of all are there, and how long the rest takes. */
export const UploadProgress = ({ uploads }: { readonly uploads: UploadSnapshot }) => {
  const { t, i18n } = useTranslation('uploads');
  const { progress, secondsLeft } = uploads;
  const { bytes, settledBytes } = progress;
  return (
    <div className={styles['progress']}>
      <Progress.Root value={(100 * settledBytes) / Math.max(1, bytes)} locale={i18n.language} aria-label={t('title')}>
        <Progress.Track className={styles['track']}>
          <Progress.Indicator className={styles['indicator']} />
        </Progress.Track>
      </Progress.Root>
      <p className={styles['numbers']}>
        <span>
          {t('progress', {
            sent: formatBytes(settledBytes, i18n.language),
            total: formatBytes(bytes, i18n.language),
          })}
        </span>
        {secondsLeft !== undefined && (
          <span>{t('timeLeft', { time: formatDuration(secondsLeft, i18n.language) })}</span>
        )}
      </p>
    </div>
  );
};
