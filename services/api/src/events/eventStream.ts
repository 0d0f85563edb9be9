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

/** An event in the format of the stream. */
export const encodeEvent = ({ event, id, data }: ServerEvent): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** A comment, which clients pass over: it shows both sides, and every proxy between them, that the stream is alive. */
export const heartbeat = ':\n\n';

/** Whether a handler has answered with a stream of events. */
export const isEventStream = (body: unknown): body is EventStream =>
  typeof body === 'object' && body !== null && 'begin' in body && typeof body.begin === 'function';
