/** One event of a stream; `data` is sent as JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** The client's end of an open stream. */
export interface EventSink {
  /** Whether the client has received everything that was written. Until then, further writes would only fill memory. */
  readonly isDrained: () => boolean;
  readonly write: (text: string) => void;
  /** Ends the stream properly; the client then connects again. */
  readonly end: () => void;
  /** Drops the connection and everything that the client has not received. */
  readonly drop: () => void;
}

/** A stream of server-sent events (WHATWG HTML, 9.2) as a handler answers it. */
export interface EventStream {
  /** Called with the open stream. The returned function is called once, when either side has ended the stream. */
  readonly begin: (sink: EventSink) => () => void;
}

/** An event in the format of the stream. */
export const encodeEvent = ({ event, id, data }: ServerEvent): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** A comment, which clients ignore: it shows the client, the server and proxies that the stream is alive. */
export const heartbeat = ':\n\n';

/** Whether a handler has answered with a stream of events. */
export const isEventStream = (body: unknown): body is EventStream =>
  typeof body === 'object' && body !== null && 'begin' in body && typeof body.begin === 'function';
