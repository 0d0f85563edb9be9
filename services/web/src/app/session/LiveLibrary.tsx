import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchLiveEvents } from '../../lib/api/liveEvents.ts';
import { makeLibraryRefresh } from './libraryRefresh.ts';

/**
 * Keeps what every page knows as the server has it, also what is not shown just now. The stream is open on every page: its end tells
 * within seconds that the session was ended elsewhere.
 */
export const LiveLibrary = () => {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = makeLibraryRefresh(client);
    const ending = new AbortController();
    void watchLiveEvents(refresh.take, ending.signal);
    return () => {
      ending.abort();
      refresh.end();
    };
  }, [client]);
  return null;
};
