import { Pause, CirclePlay, ChevronLeft, ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/Button.tsx';
import { slideshowIntervals, type Slideshow } from './useSlideshow.ts';
import styles from './StageControls.module.css';
import { prefersLessMotion } from '../../../lib/browser/useMediaQuery.ts';
import { IconButton } from '../../controls/IconButton.tsx';

/** Button to the previous or next item. Without one it is disabled but stays mounted, to keep the focus. */
export const Arrow = (props: {
  readonly side: 'previous' | 'next';
  readonly label: string;
  readonly onShow: (() => void) | undefined;
}) => (
  <IconButton
    icon={props.side === 'previous' ? ChevronLeft : ChevronRight}
    label={props.label}
    onPicture
    className={[styles['arrow'], styles[props.side]].join(' ')}
    disabled={props.onShow === undefined}
    focusableWhenDisabled
    onClick={props.onShow}
    data-control
  />
);

/** Badge of a Live Photo. Hovering or pressing it plays the video. */
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

export const SlideshowBar = ({ slideshow }: { readonly slideshow: Slideshow }) => {
  const { t } = useTranslation('viewer');
  const bar = useRef<HTMLDivElement>(null);
  // When the bar unmounts with the focus inside, the viewer's shortcuts would stop working.
  useLayoutEffect(() => {
    const shown = bar.current;
    const viewer = shown?.closest<HTMLElement>('[role=dialog]');
    return () => {
      if (shown?.contains(document.activeElement) === true) viewer?.focus();
    };
  }, []);
  return (
    <div ref={bar} className={styles['bar']} role="group" aria-label={t('slideshow.title')} data-control>
      <Button variant="quiet" className={styles['button']} onClick={slideshow.stop}>
        <Pause aria-hidden size={18} />
        {t('slideshow.stop')}
      </Button>
      {slideshowIntervals.map((interval) => (
        <Button
          key={interval}
          variant="quiet"
          className={styles['button']}
          aria-pressed={slideshow.interval === interval}
          title={t('slideshow.interval', { count: interval })}
          onClick={() => slideshow.setInterval(interval)}
        >
          {t('slideshow.seconds', { count: interval })}
        </Button>
      ))}
    </div>
  );
};
