/** How many uploads run at once, and what chose that number. */
export interface Concurrency {
  readonly limit: number;
  readonly most: number;
  /** Bytes per second that the step before brought; 0 before the first. */
  readonly lastRate: number;
}

/** Three hide the time between requests of most connections. */
const firstLimit = 3;

/** What is worth one more upload at once: a fifth of what it could add would show, and noise does not. */
const worthwhileGain = 1.08;

/**
 * Over HTTP/1.1 a browser opens six connections to a server at most, and one is the stream of events: two more are left to the rest of the page.
 */
export const mostConcurrent = (protocol: string | undefined): number =>
  protocol === undefined || protocol === '' || protocol.startsWith('http/1') ? 3 : 6;

export const startConcurrency = (most: number): Concurrency => ({
  limit: Math.min(firstLimit, most),
  most,
  lastRate: 0,
});

/** One more at once as long as that brings more bytes per second. `isFull`: as many were running as may, all the time. */
export const afterRate = (state: Concurrency, rate: number, isFull: boolean): Concurrency => {
  if (!isFull || rate <= state.lastRate * worthwhileGain) return state;
  return { ...state, limit: Math.min(state.most, state.limit + 1), lastRate: rate };
};

/** Half as many after an error of the connection, or when the server asks for patience. */
export const afterHindrance = (state: Concurrency): Concurrency => ({
  ...state,
  limit: Math.max(1, Math.floor(state.limit / 2)),
  lastRate: 0,
});
