/** One server-sent event. `data` is sent as JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** Connection of an open stream to its client. */
export interface EventSink {
  /** Returns true if no data waits in this process for the client. Until then, further writes would only use memory. */
  readonly isDrained: () => boolean;
  readonly write: (text: string) => void;
  /** Ends the stream cleanly. The client reconnects. */
  readonly end: () => void;
  /** Drops the connection and all data in transit. */
  readonly drop: () => void;
}

/** A handler's response with server-sent events (WHATWG HTML, 9.2). */
export interface EventStream {
  /** Called with the open stream. The returned function is called once, when either side has ended it. */
  readonly begin: (sink: EventSink) => () => void;
}

export const encodeEvent = ({ event, id, data }: ServerEvent): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** A comment line, which clients ignore. It keeps the connection alive for client, server and proxies. */
export const heartbeat = ':\n\n';

export const isEventStream = (body: unknown): body is EventStream =>
  typeof body === 'object' && body !== null && 'begin' in body && typeof body.begin === 'function';
