import { busy, type SemaphoreOptions } from './semaphore.ts';

/**
 * Creates a semaphore that gives permits to waiting parties round robin, however much work each has. If the queue is
 * full, the party with the most queued work loses its last entry.
 * @throws AppError UNAVAILABLE for rejected work
 */
export const createFairSemaphore = ({ permits, maxWaiting }: SemaphoreOptions) => {
  // Parties in round-robin order. No list is empty.
  const parties = new Map<string, Waiter[]>();
  let [running, waiting] = [0, 0];

  const wait = (party: string): Promise<void> => {
    const own = parties.get(party) ?? [];
    const slot = Promise.withResolvers<void>();
    parties.set(party, [...own, slot]);
    waiting += 1;
    if (waiting > maxWaiting) rejectLast();
    return slot.promise;
  };
  const rejectLast = (): void => {
    const [longest, waiters] = [...parties].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    const last = waiters.pop();
    if (waiters.length === 0) parties.delete(longest);
    waiting -= 1;
    last?.reject(busy());
  };
  const releaseSlot = (): void => {
    const [next] = parties;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [party, [first, ...others]] = next;
    parties.delete(party);
    // Moves the party to the end of the order.
    if (others.length > 0) parties.set(party, others);
    waiting -= 1;
    first?.resolve();
  };

  return async <Result>(party: string, work: () => Promise<Result>): Promise<Result> => {
    if (running < permits) running += 1;
    else await wait(party);
    try {
      return await work();
    } finally {
      releaseSlot();
    }
  };
};

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}
