import { CirclePlay } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { prefersLessMotion } from '../../../lib/browser/prefersLessMotion.ts';
import styles from './LiveBadge.module.css';

/** Says that a photo moves; resting on it, or pressing it, plays the moments around the picture. */
export const LiveBadge = (props: { readonly isPlaying: boolean; readonly onPlaying: (isPlaying: boolean) => void }) => {
  const { t } = useTranslation('viewer');
  return (
    <button
      type="button"
      className={styles['badge']}
      aria-label={t('live.play')}
      aria-pressed={props.isPlaying}
      title={t('live.hint')}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && !prefersLessMotion() && props.onPlaying(true)}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && props.onPlaying(false)}
      onClick={() => props.onPlaying(!props.isPlaying)}
      data-control
    >
      <CirclePlay aria-hidden size={18} />
      {t('live.badge')}
    </button>
  );
};
