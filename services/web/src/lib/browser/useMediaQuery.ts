import { useCallback, useSyncExternalStore } from 'react';

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

/** Returns whether the user prefers reduced motion. Then nothing may play or animate by itself. */
export const prefersLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
