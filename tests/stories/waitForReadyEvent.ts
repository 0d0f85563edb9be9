import type { MediaItemEvent } from '@hearth/contract/events.ts';

/** The user whose events are watched. */
interface EventListener {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
}

/**
 * Subscribes to the event stream, uploads a photo, and resolves when the stream reports it as READY.
 * @throws if the stream ends before or times out
 */
export const waitForReadyEvent = async (
  { url, token, timeoutMs }: EventListener,
  upload: () => Promise<string>,
): Promise<void> => {
  const stop = new AbortController();
  const response = await fetch(new URL('/v1/events', url), {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`the event stream returned ${response.status}`);
  let [text, id]: [string, string | undefined] = ['', undefined];
  try {
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (id === undefined && text.includes('event: ready')) id = await upload();
      if (id !== undefined && parseEvents(text).some((event) => isReady(event, id))) return;
    }
  } finally {
    stop.abort();
  }
  throw new Error(`the event stream ended: ${text}`);
};

/** Parses the media item events in the complete lines of a stream. */
const parseEvents = (text: string): MediaItemEvent[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('data: {"type"'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as MediaItemEvent);

const isReady = (event: MediaItemEvent, id: string | undefined): boolean =>
  event.id === id && event.type !== 'removed' && event.status === 'READY';
