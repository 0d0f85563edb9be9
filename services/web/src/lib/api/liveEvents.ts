import type { MediaItemEvent } from '@hearth/contract/events.ts';
import { createParser } from 'eventsource-parser';
import { authorizedFetch, getSession } from './session.ts';

/**
 * Live event. Changes may have been missed since the page opened (`begin`, when the first stream starts), or at any
 * time (`reset`, when a stream cannot be resumed).
 */
export type LiveEvent =
  | { readonly name: 'begin' }
  | { readonly name: 'reset' }
  | { readonly name: 'mediaItem'; readonly data: MediaItemEvent };

/** Backoff between connection attempts, in ms. */
const retryDelayMs = { first: 500, max: 15_000 } as const;

/**
 * Calls `onEvent` for each change in the library until `signal` is aborted. Reconnects after the last event received.
 * If the session has ended, the token refresh of the reconnect reports it to the tab.
 */
export const watchLiveEvents = async (onEvent: (event: LiveEvent) => void, signal: AbortSignal): Promise<void> => {
  let lastEventId: string | undefined;
  let hasBegun = false;
  let delayMs: number = retryDelayMs.first;
  while (!signal.aborted && getSession().kind === 'signedIn') {
    try {
      const headers: HeadersInit = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
      const response = await authorizedFetch('/v1/events', { headers, signal });
      if (response.ok && response.body !== null) {
        delayMs = retryDelayMs.first;
        const parser = createParser({
          onEvent: ({ id, event, data }) => {
            lastEventId = id ?? lastEventId;
            if (event === 'mediaItem') onEvent({ name: event, data: JSON.parse(data) as MediaItemEvent });
            else if (event === 'reset') onEvent({ name: 'reset' });
            else if (event === 'ready' && !hasBegun) {
              hasBegun = true;
              onEvent({ name: 'begin' });
            }
          },
        });
        for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text);
      }
    } catch {
      // The next attempt shows whether the server or the session is gone.
    }
    await pause(delayMs, signal);
    delayMs = Math.min(delayMs * 2, retryDelayMs.max);
  }
};

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
