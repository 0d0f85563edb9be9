import { Pause } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/Button.tsx';
import { slideshowIntervals, type Slideshow } from './useSlideshow.ts';
import styles from './SlideshowBar.module.css';

/** What ends a slideshow, and how long it shows a picture; at the lower edge of the stage while one runs. */
export const SlideshowBar = ({ slideshow }: { readonly slideshow: Slideshow }) => {
  const { t } = useTranslation('viewer');
  const bar = useRef<HTMLDivElement>(null);
  // The focus would be lost with the bar, and the keys of the viewer with it.
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
