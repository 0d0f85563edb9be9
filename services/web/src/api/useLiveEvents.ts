import { useEffect, useEffectEvent } from 'react';
import { watchLiveEvents, type LiveEvent } from './liveEvents.ts';

const listeners = new Set<(event: LiveEvent) => void>();
let ending: AbortController | undefined;

/** Calls `onEvent` for what changes in the library while the component is there. All components share one stream of the tab. */
export const useLiveEvents = (onEvent: (event: LiveEvent) => void): void => {
  const handle = useEffectEvent(onEvent);
  useEffect(() => {
    const listener = (event: LiveEvent): void => handle(event);
    listeners.add(listener);
    ending ??= begin();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      ending?.abort();
      ending = undefined;
    };
  }, []);
};

function begin(): AbortController {
  const controller = new AbortController();
  void watchLiveEvents((event) => {
    for (const listener of listeners) listener(event);
  }, controller.signal).finally(() => {
    // It has ended with the session: the next component that listens, which signing in brings, begins it anew for all.
    if (ending === controller) ending = undefined;
  });
  return controller;
}
