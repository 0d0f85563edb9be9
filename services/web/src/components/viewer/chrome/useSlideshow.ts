import { useEffect, useEffectEvent, useState } from 'react';

/** How long a picture can be shown, in seconds; the second is what a slideshow begins with. */
export const slideshowIntervals = [3, 5, 10] as const;
export type SlideshowInterval = (typeof slideshowIntervals)[number];

export interface Slideshow {
  readonly isRunning: boolean;
  readonly interval: SlideshowInterval;
  readonly setInterval: (interval: SlideshowInterval) => void;
  readonly start: () => void;
  readonly stop: () => void;
}

/**
 * Shows one item after the other. The time of a picture begins when it is sharp (`isReady`), a video is shown to its end (`isReady` stays false; its end
 * calls `onNext`). Behind the last item it stops.
 */
export const useSlideshow = (props: {
  readonly itemId: string;
  readonly isReady: boolean;
  readonly onNext: (() => void) | undefined;
}): Slideshow => {
  const [isRunning, setIsRunning] = useState(false);
  const [interval, setInterval] = useState<SlideshowInterval>(5);
  const { itemId, isReady } = props;
  const advance = useEffectEvent((from: string) => {
    if (from !== props.itemId) return;
    if (props.onNext === undefined) setIsRunning(false);
    else props.onNext();
  });
  useEffect(() => {
    if (!isRunning || !isReady) return undefined;
    const timer = setTimeout(() => advance(itemId), interval * 1000);
    return () => clearTimeout(timer);
  }, [isRunning, isReady, interval, itemId]);
  return {
    isRunning,
    interval,
    setInterval,
    start: () => setIsRunning(true),
    stop: () => setIsRunning(false),
  };
};
