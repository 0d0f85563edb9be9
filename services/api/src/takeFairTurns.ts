import { AppError } from '@hearth/core/errors.ts';

/**
 * Lets `atOnce` pieces of work run at a time and the others wait, where each of the parties that they come from has its turn in a circle,
 * however many one party brings. More than `waiting` are refused: the last of the party that has most of them.
 * @throws AppError UNAVAILABLE where too many wait already
 */
export const takeFairTurns = ({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) => {
  // In the order of their turns; none of the lists is empty.
  const parties = new Map<string, Waiter[]>();
  let [running, waitingNow] = [0, 0];

  const wait = (party: string): Promise<void> => {
    const own = parties.get(party) ?? [];
    const turn = Promise.withResolvers<void>();
    parties.set(party, [...own, turn]);
    waitingNow += 1;
    if (waitingNow > waiting) refuseLast();
    return turn.promise;
  };
  const refuseLast = (): void => {
    const [longest, waiters] = [...parties].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    const last = waiters.pop();
    if (waiters.length === 0) parties.delete(longest);
    waitingNow -= 1;
    last?.reject(new AppError('UNAVAILABLE', undefined, { retryAfterSeconds: 5 }));
  };
  const passOn = (): void => {
    const [next] = parties;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [party, [first, ...others]] = next;
    parties.delete(party);
    // Back to the end of the circle.
    if (others.length > 0) parties.set(party, others);
    waitingNow -= 1;
    first?.resolve();
  };

  return async <Result>(party: string, work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running += 1;
    else await wait(party);
    try {
      return await work();
    } finally {
      passOn();
    }
  };
};

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}
