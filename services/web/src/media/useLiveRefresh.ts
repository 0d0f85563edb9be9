import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveEvents } from '../api/useLiveEvents.ts';

/** Lists are loaded anew at most this often while much changes. */
const pauseMs = 1000;

/** Has what these keys name loaded anew when the library changes, at most once a second; what is shown stays until the answer is there. */
export const useLiveRefresh = (keys: readonly QueryKey[]): void => {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLiveEvents(({ name }) => {
    if (name === 'ready') return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const queryKey of keys) void client.invalidateQueries({ queryKey });
    }, pauseMs);
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
};
