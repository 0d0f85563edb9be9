import type { Request, Response } from 'express';

/** One event as it is written: `data` is sent as JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** The client's end of an open stream. */
export interface EventSink {
  /** Whether the client has taken all that it was sent; what is written before that would only pile up in memory. */
  readonly isDrained: () => boolean;
  readonly write: (text: string) => void;
  /** Ends the stream as it should end: the client comes again. */
  readonly end: () => void;
  /** Drops the connection with whatever the client has not taken. */
  readonly drop: () => void;
}

/** A stream of server-sent events (WHATWG HTML, 9.2) as a handler answers it. */
export interface EventStream {
  /** Called with the open stream; what it answers is called once, when the stream is over, whoever ended it. */
  readonly begin: (sink: EventSink) => () => void;
}

/** Milliseconds after which a client whose stream ended asks again, unless it knows better. */
const retryMs = 2_000;

/** An event in the format of the stream. */
export const encodeEvent = ({ event, id, data }: ServerEvent): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** A comment, which clients pass over: it shows both sides, and every proxy between them, that the stream is alive. */
export const heartbeat = ':\n\n';

/** Sends a stream of events and resolves when it is over. */
export const sendEvents = async (req: Request, res: Response, stream: EventStream): Promise<void> => {
  res.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Proxies that gather an answer before they pass it on would hold the events back.
    'X-Accel-Buffering': 'no',
  });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  // What is written to a connection that broke a moment ago fails by this event.
  res.on('error', () => undefined);
  let isDrained = res.write(`retry: ${retryMs}\n\n`);
  res.on('drain', () => (isDrained = true));
  const closed = Promise.withResolvers<void>();
  res.on('close', () => closed.resolve());
  const onOver = stream.begin({
    isDrained: () => isDrained,
    write: (text) => {
      isDrained = res.write(text);
    },
    end: () => res.end(),
    drop: () => res.destroy(),
  });
  await closed.promise;
  onOver();
};

/** Whether a handler has answered with a stream of events. */
export const isEventStream = (body: unknown): body is EventStream =>
  typeof body === 'object' && body !== null && 'begin' in body && typeof body.begin === 'function';
