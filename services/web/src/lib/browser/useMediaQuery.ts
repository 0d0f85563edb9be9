import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query such as `(width < 48rem)` holds now; the component is rendered again when that changes. */
export const useMediaQuery = (query: string): boolean => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
};

/** Whether the person at this device has asked for less motion: then nothing begins to move that was not told to. */
export const prefersLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
