import type { MediaItemEvent } from '@hearth/contract/events.ts';
import { createParser } from 'eventsource-parser';
import { authorizedFetch, getSession } from './session.ts';

/**
 * What the server tells while it happens. Something may have changed that was not told: since the page was opened where the first stream has
 * begun (`begin`), at any time where a stream has lost its place (`reset`).
 */
export type LiveEvent =
  | { readonly name: 'begin' }
  | { readonly name: 'reset' }
  | { readonly name: 'mediaItem'; readonly data: MediaItemEvent };

/** How long to wait before the stream is taken up again after it was cut, at first and at most. */
const retryDelayMs = { first: 500, most: 15_000 } as const;

/**
 * Calls `onEvent` for what changes in the library until `signal` is aborted. A stream that ends is taken up again behind the last event
 * that was seen; when the session has ended meanwhile, the refresh that this needs tells the tab so.
 */
export const watchLiveEvents = async (onEvent: (event: LiveEvent) => void, signal: AbortSignal): Promise<void> => {
  let lastEventId: string | undefined;
  let hasBegun = false;
  let delayMs: number = retryDelayMs.first;
  while (!signal.aborted && getSession().kind === 'signedIn') {
    try {
      const headers: HeadersInit = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
      const answer = await authorizedFetch('/v1/events', { headers, signal });
      if (answer.ok && answer.body !== null) {
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
        for await (const text of answer.body.pipeThrough(new TextDecoderStream())) parser.feed(text);
      }
    } catch {
      // The next attempt tells whether the server or the session is gone.
    }
    await pause(delayMs, signal);
    delayMs = Math.min(delayMs * 2, retryDelayMs.most);
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
