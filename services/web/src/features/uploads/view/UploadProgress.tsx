import { Progress } from '@base-ui/react/progress';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../lib/i18n/formats.ts';
import type { UploadSnapshot } from '../engine/uploadEngine.ts';
import styles from './UploadProgress.module.css';

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

/** Formats a duration in one unit: “5 minutes”, “2 hours”. */
const formatDuration = (seconds: number, language: string): string => {
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: unit === 'hour' && value < 10 ? 1 : 0,
  }).format(value);
};

export const formatPercent = (part: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(part);
