import { DecodeError } from '../../errors/decodeError.ts';

/** A child process, and its resources, kept for the files of one owner. */
export interface OwnedChild {
  /** False as soon as the end of the child is certain. */
  isAlive(): boolean;
  /** Ends the child. Resolves when the child is gone. */
  end(): Promise<void>;
}

/** Children, each of which sees files of one owner only. */
export interface OwnedChildren<Child> {
  /** Runs a task with a child that has seen no file of another owner; tasks wait for their turn in the order of the calls. */
  use<Result>(ownerId: string, task: (child: Child) => Promise<Result>): Promise<Result>;
  list(): Child[];
  /** Opens no further child. Ends idle children, or all of them at once; the others end when their work is done. Resolves when all are gone. */
  close(which: 'idle' | 'all'): Promise<void>;
}

/** The number of children. */
export interface OwnedChildrenOptions<Child> {
  readonly open: () => Child;
  /** Children that work at the same time, at most. */
  readonly size: number;
  /** Children at most, idle ones included. Those beyond `size` are kept while several owners have files in turn, to save a start. */
  readonly most: number;
  /** Milliseconds until an idle child is ended to free its memory; a minute, unless told otherwise. */
  readonly idleMs?: number | undefined;
}

/** Milliseconds for which idle children beyond `size` are kept. */
const surplusMs = 10_000;

/**
 * Keeps children that start when they are first needed and are replaced when they die. A file may take over a child, which then sees every
 * later file. So a child never gets files of a second owner: it is ended.
 */
export function openOwnedChildren<Child extends OwnedChild>({
  open,
  size,
  most,
  idleMs = 60_000,
}: OwnedChildrenOptions<Child>): OwnedChildren<Child> {
  const owners = new Map<Child, string>();
  /** Idle children in the order of their last use, each with the timer that ends it. */
  const idle = new Map<Child, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let free = size;
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const takeTurn = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const giveTurn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const stopWaiting = (child: Child): void => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  const end = async (child: Child): Promise<void> => {
    stopWaiting(child);
    owners.delete(child);
    await child.end();
  };
  const take = async (ownerId: string): Promise<Child> => {
    for (const child of idle.keys()) {
      if (!child.isAlive()) await end(child);
      else if (owners.get(child) === ownerId) {
        stopWaiting(child);
        return child;
      }
    }
    for (const child of idle.keys()) if (owners.size >= most) await end(child);
    if (isClosed) throw new DecodeError('CRASHED', 'The decoders were shut down.');
    const child = open();
    owners.set(child, ownerId);
    return child;
  };
  const give = async (child: Child): Promise<void> => {
    if (isClosed || !child.isAlive()) return end(child);
    const endsIn = owners.size > size ? Math.min(surplusMs, idleMs) : idleMs;
    idle.set(child, setTimeout(() => void end(child), endsIn).unref());
  };

  const work = async <Result>(ownerId: string, task: (child: Child) => Promise<Result>): Promise<Result> => {
    await takeTurn();
    try {
      const child = await take(ownerId);
      try {
        return await task(child);
      } finally {
        await give(child);
      }
    } finally {
      giveTurn();
    }
  };

  return {
    use(ownerId, task) {
      const result = work(ownerId, task);
      const settled = result.then(ignore, ignore).finally(() => underWay.delete(settled));
      underWay.add(settled);
      return result;
    },
    list: () => [...owners.keys()].filter((child) => child.isAlive()),
    async close(which) {
      isClosed = true;
      await Promise.all((which === 'all' ? [...owners.keys()] : [...idle.keys()]).map(end));
      await Promise.all(underWay);
    },
  };
}

const ignore = (): void => {};
