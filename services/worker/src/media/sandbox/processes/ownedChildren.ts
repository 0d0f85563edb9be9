import { DecodeError } from '../../errors/decodeError.ts';

/** A child process with its resources, for the files of one owner. */
export interface OwnedChild {
  /** False as soon as the child has started to end. */
  isAlive(): boolean;
  /** Ends the child. Resolves when it has ended. */
  end(): Promise<void>;
}

/** Children that each open files of one owner only. */
export interface OwnedChildren<Child> {
  /** Runs a task with a child that has opened no file of another owner. Tasks wait for a free child, first in, first out. */
  use<Result>(ownerId: string, task: (child: Child) => Promise<Result>): Promise<Result>;
  list(): Child[];
  /** Stops opening children. Ends idle children, or all of them at once; the others end after their task. Resolves when all have ended. */
  close(which: 'idle' | 'all'): Promise<void>;
}

export interface OwnedChildrenOptions<Child> {
  readonly open: () => Child;
  /** Maximum number of busy children. */
  readonly size: number;
  /** Maximum number of children, including idle ones. Those above `size` are kept while several owners alternate, to save starts. */
  readonly maxChildren: number;
  /** Idle time after which a child is ended to free its memory. Default: one minute. */
  readonly idleMs?: number | undefined;
}

/** Idle time after which children above `size` are ended, in ms. */
const surplusIdleMs = 10_000;

/**
 * Manages children, which start on demand and are replaced when they die. A malicious file may compromise a child, which then could read all later
 * files. So a child is ended instead of getting files of a second owner.
 */
export function openOwnedChildren<Child extends OwnedChild>({
  open,
  size,
  maxChildren,
  idleMs = 60_000,
}: OwnedChildrenOptions<Child>): OwnedChildren<Child> {
  const owners = new Map<Child, string>();
  /** Idle children, least recently used first, each with the timer that ends it. */
  const idle = new Map<Child, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let freeSlots = size;
  const active = new Set<Promise<unknown>>();
  let isClosed = false;

  const acquireSlot = async (): Promise<void> => {
    if (freeSlots > 0) freeSlots -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const releaseSlot = (): void => {
    const next = waiting.shift();
    if (next) next();
    else freeSlots += 1;
  };
  const cancelIdleTimer = (child: Child): void => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  const end = async (child: Child): Promise<void> => {
    cancelIdleTimer(child);
    owners.delete(child);
    await child.end();
  };
  const acquireChild = async (ownerId: string): Promise<Child> => {
    for (const child of idle.keys()) {
      if (!child.isAlive()) await end(child);
      else if (owners.get(child) === ownerId) {
        cancelIdleTimer(child);
        return child;
      }
    }
    for (const child of idle.keys()) if (owners.size >= maxChildren) await end(child);
    if (isClosed) throw new DecodeError('CRASHED', 'The decoders were shut down.');
    const child = open();
    owners.set(child, ownerId);
    return child;
  };
  const releaseChild = async (child: Child): Promise<void> => {
    if (isClosed || !child.isAlive()) return end(child);
    const idleTimeoutMs = owners.size > size ? Math.min(surplusIdleMs, idleMs) : idleMs;
    idle.set(child, setTimeout(() => void end(child), idleTimeoutMs).unref());
  };

  const runTask = async <Result>(ownerId: string, task: (child: Child) => Promise<Result>): Promise<Result> => {
    await acquireSlot();
    try {
      const child = await acquireChild(ownerId);
      try {
        return await task(child);
      } finally {
        await releaseChild(child);
      }
    } finally {
      releaseSlot();
    }
  };

  return {
    use(ownerId, task) {
      const result = runTask(ownerId, task);
      const settled = result.then(ignore, ignore).finally(() => active.delete(settled));
      active.add(settled);
      return result;
    },
    list: () => [...owners.keys()].filter((child) => child.isAlive()),
    async close(which) {
      isClosed = true;
      await Promise.all((which === 'all' ? [...owners.keys()] : [...idle.keys()]).map(end));
      await Promise.all(active);
    },
  };
}

const ignore = (): void => {};
