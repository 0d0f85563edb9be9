import { DecodeError } from './decodeError.ts';

/** A child process, and what it needs, that is kept for the files of one owner. */
export interface OwnedChild {
  /** False as soon as its end is certain. */
  isAlive(): boolean;
  /** Resolves when it is gone. */
  end(): Promise<void>;
}

/** Children, each of which sees files of one owner only. */
export interface OwnedChildren<Child> {
  /** Runs a task with a child that has seen no file of another owner; tasks wait for their turn in the order of the calls. */
  use<Result>(ownerId: string, task: (child: Child) => Promise<Result>): Promise<Result>;
  list(): Child[];
  /**
   * Opens no further child. Ends the children without work, or all of them at once; the others end when their work is done. Resolves when all are
   * gone.
   */
  close(which: 'idle' | 'all'): Promise<void>;
}

/** How many children there are. */
export interface OwnedChildrenOptions<Child> {
  readonly open: () => Child;
  /** At work at the same time. */
  readonly size: number;
  /** All children, at work or not. Those beyond `size` are kept while several owners have files in turn, to save a start. */
  readonly most: number;
  /** Milliseconds after which a child without work is ended, for its memory's sake; without them as many are kept as may work. */
  readonly idleMs?: number | undefined;
}

/** Milliseconds for which children without work are kept that are more than may work. */
const surplusMs = 10_000;

/**
 * Keeps children that start when they are first needed and are replaced when they die. A file may take over a child, which then sees every file that
 * comes after it. So a child is never handed on to another owner: it is ended.
 */
export function openOwnedChildren<Child extends OwnedChild>({
  open,
  size,
  most,
  idleMs,
}: OwnedChildrenOptions<Child>): OwnedChildren<Child> {
  const owners = new Map<Child, string>();
  /** In the order in which they were last used; each with the timer that will end it, if there is one. */
  const idle = new Map<Child, NodeJS.Timeout | undefined>();
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
    const endsIn = idleMs ?? (owners.size > size ? surplusMs : undefined);
    idle.set(child, endsIn === undefined ? undefined : setTimeout(() => void end(child), endsIn).unref());
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
