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

/** A session that watches the events of its user, from a position on, until its access token expires. */
export interface Watcher {
  readonly userId: string;
  readonly sessionId: string;
  /** When the access token expires. */
  readonly endsAt: Date;
  readonly start: EventStart;
}

/** The streams of live updates that this process has open. */
export interface LiveUpdates {
  /** @throws AppError TOO_MANY_ATTEMPTS, and UNAVAILABLE where the process is stopping */
  watch(watcher: Watcher): EventStream;
  /** Ends every stream and refuses new ones. */
  stop(): void;
}

/** Times in milliseconds. */
const defaultTimes = {
  /** The pause between two reads while there are events. A longer pause merges more changes of one item into one event. */
  busyMs: 500,
  /** The pause between two reads while there are no events. */
  quietMs: 1_000,
  /** The silence before a heartbeat is sent: shorter than the minute after which this server and common proxies close a connection. */
  heartbeatMs: 20_000,
  /** How long a client may leave its last batch unread before it is dropped. */
  patienceMs: 30_000,
};

/** Events read for one stream at a time: about 50 kB, which is the memory that a client costs if it does not read. */
const batchSize = 250;

interface OpenStream extends Watcher {
  readonly sink: EventSink;
  after: EventPosition;
  isReady: boolean;
  writtenAt: number;
  drainedAt: number;
}

/**
 * [Note: Live updates] One loop per process, which runs only while somebody watches, looks for events and hands them to
 * the streams of their users, whichever replica or worker caused them. It asks again and again and is not notified by the database
 * (LISTEN needs a session of its own, which a transaction pooler does not give). Nothing is kept for slow clients: a
 * stream whose client has not taken the last batch is not read for, and goes on where it was.
 *
 * After each read of events the loop asks which sessions still last, so that nobody is sent an event from after the logout.
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
      const pauseMs = await look(db, streams).then(
        (found) => {
          hasFailed = false;
          return { nothing: times.quietMs, some: times.busyMs, more: 0 }[found];
        },
        (error: unknown) => {
          if (!hasFailed) log.warn({ err: error }, 'live updates wait for the database');
          hasFailed = true;
          return times.quietMs;
        },
      );
      tend(streams, times);
      await sleep(pauseMs, undefined, { signal: waking.signal }).catch(() => undefined);
    }
    isRunning = false;
  };

  return {
    watch: (watcher) => {
      if (isStopped) throw new UnavailableError('this process, which is stopping,', undefined);
      const opened = [...streams].filter(({ userId }) => userId === watcher.userId).length;
      if (opened >= maxEventStreams) {
        const message = `a user may have ${maxEventStreams} streams of events open`;
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

/** Reads new events and sends them. Streams of one user at the same position share one read. */
const look = async (db: Database, streams: Set<OpenStream>): Promise<'nothing' | 'some' | 'more'> => {
  // A stream that begins while the database is asked is read for the next time.
  const known = [...streams];
  const reading = known.filter(({ sink }) => sink.isDrained());
  const groups = [...Map.groupBy(reading, ({ userId, after }) => `${userId} ${formatEventId(after)}`).values()];
  const readers = groups.map(([first]) => ({ userId: first!.userId, after: first!.after }));
  const batches = await listEvents(db, readers, batchSize);
  const live = await listLiveSessions(db, [...new Set(known.map(({ sessionId }) => sessionId))]);
  for (const stream of known) if (!live.has(stream.sessionId)) end(streams, stream);
  endExpired(streams);
  for (const [index, group] of groups.entries()) {
    const open = group.filter((stream) => streams.has(stream));
    const batch = batches[index];
    if (batch === undefined) await beginAnew(db, open);
    else tell(open, batch);
  }
  const longest = Math.max(0, ...batches.map((batch) => batch?.length ?? 0));
  return longest === 0 ? 'nothing' : longest < batchSize ? 'some' : 'more';
};

const tell = (group: readonly OpenStream[], batch: readonly LibraryEvent[]): void => {
  const text = presentLibraryEvents(batch).map(encodeEvent).join('');
  for (const stream of group) {
    stream.after = batch.at(-1)?.position ?? stream.after;
    write(stream, text);
    if (stream.isReady || batch.length === batchSize) continue;
    stream.isReady = true;
    write(stream, encodeEvent({ event: 'ready', id: formatEventId(stream.after), data: {} }));
  }
};

/** The database has been replaced by a copy that counts events on its own. */
const beginAnew = async (db: Database, streams: readonly OpenStream[]): Promise<void> => {
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

/** Sends heartbeats and ends streams, also while the database does not answer. */
const tend = (streams: Set<OpenStream>, { heartbeatMs, patienceMs }: typeof defaultTimes): void => {
  endExpired(streams);
  const now = Date.now();
  for (const stream of streams) {
    if (stream.sink.isDrained()) {
      stream.drainedAt = now;
      if (now - stream.writtenAt >= heartbeatMs) write(stream, heartbeat);
    } else if (now - stream.drainedAt >= patienceMs) {
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
