import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { answers } from '@hearth/testkit/servers/replica.ts';
import { cpuSecondsOf, megabytesOf } from '@hearth/testkit/figures/cost.ts';
import { until } from '@hearth/testkit/hearth/wait.ts';

/** A program that answered. */
export interface Started {
  /** From its start to its first answer. */
  readonly seconds: number;
  /** User and system time until the first answer, of the process and its ended children. */
  readonly cpuSeconds: number;
  /** The memory of the process now, without its children (PSS). */
  megabytes(): number;
  /** Asks it to end and resolves when it is gone. */
  stop(): Promise<void>;
}

/** A program, and the address at which it answers once it is ready. */
export interface Startable {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
}

/** Milliseconds between two requests, and until a program without an answer counts as not starting. */
const patience = { everyMs: 10, patienceMs: 60_000 } as const;

/** Starts a program by Node and asks it until it answers with success. @throws when it ends or does not answer */
export const measureStart = async ({ program, args, env, url }: Startable): Promise<Started> => {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const hasAnswered = async (): Promise<boolean> => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} has ended`);
    return answers(url);
  };
  await until(`${program} answers`, hasAnswered, patience);
  return {
    seconds: (performance.now() - begunAt) / 1_000,
    cpuSeconds: cpuSecondsOf(child.pid!),
    megabytes: () => megabytesOf(child.pid!),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
