import { useEffect, useEffectEvent, useState } from 'react';

/** Display times per picture, in seconds. The second is the default. */
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
 * Advances through the items and stops after the last one. The display time starts when the picture is sharp
 * (`isReady`). For videos, `isReady` stays false and their end calls `onNext`.
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
