import type { Processing } from '@hearth/contract/processing.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveEvents } from '../../api/useLiveEvents.ts';
import { processingQuery } from './queries.ts';

/** How often it is asked at most while photos change, in milliseconds. */
const refetchIntervalMs = 2000;

/** What is being processed and what failed, asked again while the library changes; undefined until it is known. */
export const useProcessing = (): Processing | undefined => {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLiveEvents(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey: processingQuery.queryKey });
    }, refetchIntervalMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useQuery(processingQuery).data;
};
