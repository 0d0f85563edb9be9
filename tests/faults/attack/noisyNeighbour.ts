import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '@hearth/testkit/hearth/request.ts';

/** Number of responses by request and status, such as `search 200` or `sign-in 429`. */
export type Tally = Map<string, number>;

/** Load of a noisy neighbour in addition to its files. */
export interface NoisyLoad {
  /** Concurrent searches. */
  readonly searches: number;
  /** Connections with a JSON body that arrives byte by byte. */
  readonly slowBodies: number;
  /** Failed sign-ins per `burstMs`. */
  readonly burst: number;
}

export interface NoiseTarget {
  readonly url: string;
  /** Access token of the searching user. */
  readonly token: string;
  /** User name in half of the sign-in attempts. */
  readonly username: string;
}

/** Local source addresses. The measured user connects from 127.0.0.1. */
const addresses = { slow: '127.0.0.2', strangers: ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'] } as const;

const burstMs = 2_000;

/** Generates load until `signal` is aborted, and counts the responses in `tally`. */
export const runNoisyNeighbour = async (
  target: NoiseTarget,
  { searches, slowBodies, burst }: NoisyLoad,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> => {
  const count = (kind: string): void => void tally.set(kind, (tally.get(kind) ?? 0) + 1);
  const until = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) await work().catch(() => signal.aborted || count('no response'));
  };
  await Promise.all([
    ...Array.from({ length: searches }, (_, index) => until(() => search(target, index, count, signal))),
    ...Array.from({ length: slowBodies }, () => until(() => sendSlowBody(target, count, signal))),
    until(async () => {
      await Promise.all(Array.from({ length: burst }, (_, index) => tryWrongPassword(target, index, count, signal)));
      await pause(burstMs, signal);
    }),
  ]);
};

/**
 * The most expensive known searches: numeric prefixes that each match a thousand items, and words that match nearly
 * every item.
 */
const expensive = [
  Array.from({ length: 32 }, (_, index) => 100 + index).join(' '),
  'img can eos 80d app iph ber ger img',
  'town germany city',
  'img can',
] as const;

type Count = (kind: string) => void;

const search = async ({ url, token }: NoiseTarget, index: number, count: Count, signal: AbortSignal) => {
  const q = expensive[index % expensive.length]!;
  const path = `/v1/search?limit=100&q=${encodeURIComponent(q)}`;
  const { status } = await send(url, path, { token, signal, timeoutMs: 300_000 });
  count(`search ${status}`);
  // A refused search is repeated soon. The pause keeps this process from using all the CPU.
  if (status !== 200) await pause(100, signal);
};

const sendSlowBody = async ({ url }: NoiseTarget, count: Count, signal: AbortSignal) => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: addresses.slow });
  let response = '';
  socket.on('data', (bytes) => (response += bytes.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
  );
  const sendByte = setInterval(() => socket.write(' '), 1_000);
  await Promise.race([closed, waitForAbort(signal)]);
  clearInterval(sendByte);
  socket.destroy();
  if (signal.aborted) return count('slow body aborted by the drill');
  count(`slow body ${/^HTTP\/1\.1 (?<status>\d+)/.exec(response)?.groups?.['status'] ?? 'cut'}`);
  await pause(1_000, signal);
};

const tryWrongPassword = async ({ url, username }: NoiseTarget, index: number, count: Count, signal: AbortSignal) => {
  const attempt = request(new URL('/v1/auth/login', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    localAddress: addresses.strangers[index % addresses.strangers.length],
    agent: false,
    signal,
  });
  attempt.end(JSON.stringify({ username: index % 2 === 0 ? username : `nobody-${index}`, password: 'a wrong one' }));
  const [response] = await once(attempt, 'response');
  response.resume();
  await once(response, 'end');
  count(`sign-in ${response.statusCode}`);
};

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
