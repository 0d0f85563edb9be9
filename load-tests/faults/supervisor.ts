import {
  describeEnding,
  findCredentials,
  startHearth,
  type Credentials,
  type Hearth,
  type HearthOptions,
} from './hearth.ts';
import { findPostmasterPid } from './database.ts';
import type { ProcessFamily, ProcessIdentity } from './processes.ts';

/** What can be killed. */
export const victims = ['api', 'worker', 'decoder', 'database'] as const;
export type Victim = (typeof victims)[number];

/** Hearth that is started again on the same data as soon as its process was killed. */
export interface SupervisedHearth {
  readonly url: string;
  /** As shown at the first start. */
  readonly credentials: Credentials;
  /** How often it has been started. */
  readonly starts: () => number;
  /** Rejects when Hearth ends without having been killed, or does not start. */
  readonly trouble: Promise<never>;
  /** Kills with SIGKILL what the name stands for; false where there is no such process now. */
  kill(victim: Victim): Promise<boolean>;
  /** Resolves when the Hearth of now says that it runs, and answers it. */
  running(): Promise<Hearth>;
  /** Asks it to end as a service manager does, and resolves when the process is gone. @throws unless it ends with 0 */
  stop(): Promise<void>;
}

/** Starts Hearth, and resolves when it runs. Once `signal` is aborted it is not started again. */
export const superviseHearth = async (
  options: HearthOptions,
  family: ProcessFamily,
  signal: AbortSignal,
): Promise<SupervisedHearth> => {
  const killed = new Set<string>();
  let isStopping = false;
  let starts = 0;
  const start = (): { readonly hearth: Hearth; readonly api: ProcessIdentity } => {
    starts += 1;
    const hearth = startHearth(options);
    return { hearth, api: family.adopt(hearth.pid) };
  };
  let now = start();
  await now.hearth.running;
  const credentials = findCredentials(now.hearth.output());
  if (credentials === undefined) throw new Error(`no credentials were shown:\n${now.hearth.output()}`);

  const keepRunning = async (): Promise<never> => {
    for (;;) {
      const ending = await now.hearth.ended;
      if (isStopping) return await new Promise<never>(() => undefined);
      signal.throwIfAborted();
      if (!killed.has(keyOf(now.api))) {
        throw new Error(`Hearth ended by itself (${describeEnding(ending)}):\n${now.hearth.output()}`);
      }
      now = start();
    }
  };
  const trouble = keepRunning();
  trouble.catch(() => undefined);

  const find = async (victim: Victim): Promise<ProcessIdentity | undefined> => {
    if (victim === 'api') return now.api;
    if (victim === 'database') return family.find((await findPostmasterPid(options.directory)) ?? 0);
    const workers = family
      .childrenOf(now.api)
      .filter(({ command }) => command.includes('/services/worker/src/main.ts'));
    if (victim === 'worker') return workers[0];
    return workers
      .flatMap((worker) => family.childrenOf(worker))
      .find(({ command }) => command.includes('decoderChild'));
  };

  return {
    url: now.hearth.url,
    credentials,
    starts: () => starts,
    trouble,
    kill: async (victim) => {
      const found = await find(victim);
      if (found === undefined) return false;
      if (victim === 'api') killed.add(keyOf(found));
      return family.signal(found, 'SIGKILL');
    },
    running: async () => {
      for (;;) {
        const { hearth } = now;
        const isRunning = await Promise.race([
          hearth.running.then(
            () => true,
            () => false,
          ),
          trouble,
        ]);
        if (isRunning && hearth === now.hearth) return hearth;
        // It was killed while it started: its successor is started once its end is known.
        await hearth.ended;
      }
    },
    stop: async () => {
      isStopping = true;
      family.signal(now.api, 'SIGTERM');
      const ending = await now.hearth.ended;
      if (ending.code !== 0) {
        throw new Error(`asked to end, Hearth ended with ${describeEnding(ending)}:\n${now.hearth.output()}`);
      }
    },
  };
};

const keyOf = ({ pid, startedAt }: ProcessIdentity): string => `${pid} ${startedAt}`;
