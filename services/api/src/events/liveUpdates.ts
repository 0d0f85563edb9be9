import { setTimeout as sleep } from 'node:timers/promises';
import { maxEventStreams } from '@hearth/contract/limits.ts';
import type { Database } from '@hearth/core/db/database.ts';
import {
  findEventStart,
  formatEventId,
  listEvents,
  type EventPosition,
  type EventStart,
  type LibraryEvent,
} from './events.ts';
import { listLiveSessions } from '../accounts/sessions.ts';
import { AppError, UnavailableError } from '@hearth/core/log/errors.ts';
import type { Log } from '@hearth/core/log/log.ts';
import { encodeEvent, heartbeat, type EventSink, type EventStream } from './eventStream.ts';
import { presentLibraryEvents } from './libraryEvent.ts';

/** A session's subscription to its user's events, until its access token expires. */
export interface Watcher {
  readonly userId: string;
  readonly sessionId: string;
  /** Expiry of the access token. */
  readonly endsAt: Date;
  readonly start: EventStart;
}

/** Open event streams of this process. */
export interface LiveUpdates {
  /** @throws AppError TOO_MANY_ATTEMPTS, or UNAVAILABLE if the process is stopping */
  watch(watcher: Watcher): EventStream;
  /** Ends all streams and rejects new ones. */
  stop(): void;
}

/** In milliseconds. */
const defaultTimes = {
  /** Poll interval while events arrive. A longer interval merges more changes of one item into one event. */
  busyMs: 500,
  /** Poll interval while no events arrive. */
  quietMs: 1_000,
  /** Silence before a heartbeat. Less than the idle timeout of a minute of this server and common proxies. */
  heartbeatMs: 20_000,
  /** Time until a client that does not read its last batch is dropped. */
  drainTimeoutMs: 30_000,
};

/** Events per read and stream: about 50 kB, the memory that a client costs if it does not read. */
const batchSize = 250;

interface OpenStream extends Watcher {
  readonly sink: EventSink;
  after: EventPosition;
  isReady: boolean;
  writtenAt: number;
  drainedAt: number;
}

/**
 * [Note: Live updates] One loop per process polls for events and sends them to the streams of their users.
 *
 * It runs only while streams are open, and sees events of all replicas and workers. It polls instead of using LISTEN,
 * which needs a dedicated session that a transaction pooler does not provide. It buffers nothing for slow clients: a
 * stream whose client has not read the last batch is skipped and later continues at its position.
 *
 * After each read the loop checks which sessions are still active, so that no client gets events after its logout.
 */
export const createLiveUpdates = (
  { db, log }: { readonly db: Database; readonly log: Log },
  times: typeof defaultTimes = defaultTimes,
): LiveUpdates => {
  const streams = new Set<OpenStream>();
  let isStopped = false;
  let isRunning = false;
  let hasFailed = false;
  let waking = new AbortController();

  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (streams.size > 0) {
      waking = new AbortController();
      const pauseMs = await pollEvents(db, streams).then(
        (found) => {
          hasFailed = false;
          return { nothing: times.quietMs, some: times.busyMs, more: 0 }[found];
        },
        (error: unknown) => {
          if (!hasFailed) log.warn({ err: error }, 'live updates paused until the database is available');
          hasFailed = true;
          return times.quietMs;
        },
      );
      maintainStreams(streams, times);
      await sleep(pauseMs, undefined, { signal: waking.signal }).catch(() => undefined);
    }
    isRunning = false;
  };

  return {
    watch: (watcher) => {
      if (isStopped) throw new UnavailableError('this process, which is stopping,', undefined);
      const opened = [...streams].filter(({ userId }) => userId === watcher.userId).length;
      if (opened >= maxEventStreams) {
        const message = `a user may have at most ${maxEventStreams} open event streams`;
        throw new AppError('TOO_MANY_ATTEMPTS', message, { retryAfterSeconds: 30 });
      }
      return {
        begin: (sink) => {
          if (isStopped) {
            sink.end();
            return () => undefined;
          }
          const now = Date.now();
          const { position: after, isGap } = watcher.start;
          const stream = { ...watcher, sink, after, isReady: false, writtenAt: now, drainedAt: now };
          streams.add(stream);
          if (isGap) write(stream, encodeEvent({ event: 'reset', id: formatEventId(after), data: {} }));
          waking.abort();
          void run();
          return () => streams.delete(stream);
        },
      };
    },
    stop: () => {
      isStopped = true;
      for (const stream of streams) end(streams, stream);
      waking.abort();
    },
  };
};

/** Reads and sends new events. Streams of one user at the same position share one read. */
const pollEvents = async (db: Database, streams: Set<OpenStream>): Promise<'nothing' | 'some' | 'more'> => {
  // Streams added during the query are served by the next read.
  const polled = [...streams];
  const reading = polled.filter(({ sink }) => sink.isDrained());
  const groups = [...Map.groupBy(reading, ({ userId, after }) => `${userId} ${formatEventId(after)}`).values()];
  const readers = groups.map(([first]) => ({ userId: first!.userId, after: first!.after }));
  const batches = await listEvents(db, readers, batchSize);
  const live = await listLiveSessions(db, [...new Set(polled.map(({ sessionId }) => sessionId))]);
  for (const stream of polled) if (!live.has(stream.sessionId)) end(streams, stream);
  endExpired(streams);
  for (const [index, group] of groups.entries()) {
    const open = group.filter((stream) => streams.has(stream));
    const batch = batches[index];
    if (batch === undefined) await resetStreams(db, open);
    else sendBatch(open, batch);
  }
  const longest = Math.max(0, ...batches.map((batch) => batch?.length ?? 0));
  return longest === 0 ? 'nothing' : longest < batchSize ? 'some' : 'more';
};

const sendBatch = (group: readonly OpenStream[], batch: readonly LibraryEvent[]): void => {
  const text = presentLibraryEvents(batch).map(encodeEvent).join('');
  for (const stream of group) {
    stream.after = batch.at(-1)?.position ?? stream.after;
    write(stream, text);
    if (stream.isReady || batch.length === batchSize) continue;
    stream.isReady = true;
    write(stream, encodeEvent({ event: 'ready', id: formatEventId(stream.after), data: {} }));
  }
};

/** Resets streams after the database was replaced by a copy, which has its own event positions. */
const resetStreams = async (db: Database, streams: readonly OpenStream[]): Promise<void> => {
  for (const stream of streams) {
    const { position } = await findEventStart(db, stream.userId);
    stream.after = position;
    write(stream, encodeEvent({ event: 'reset', id: formatEventId(position), data: {} }));
  }
};

const write = (stream: OpenStream, text: string): void => {
  if (text === '') return;
  stream.sink.write(text);
  stream.writtenAt = Date.now();
};

/** Sends heartbeats and ends streams, even while the database does not respond. */
const maintainStreams = (streams: Set<OpenStream>, { heartbeatMs, drainTimeoutMs }: typeof defaultTimes): void => {
  endExpired(streams);
  const now = Date.now();
  for (const stream of streams) {
    if (stream.sink.isDrained()) {
      stream.drainedAt = now;
      if (now - stream.writtenAt >= heartbeatMs) write(stream, heartbeat);
    } else if (now - stream.drainedAt >= drainTimeoutMs) {
      streams.delete(stream);
      stream.sink.drop();
    }
  }
};

const endExpired = (streams: Set<OpenStream>): void => {
  for (const stream of streams) if (stream.endsAt.getTime() <= Date.now()) end(streams, stream);
};

const end = (streams: Set<OpenStream>, stream: OpenStream): void => {
  streams.delete(stream);
  stream.sink.end();
};
