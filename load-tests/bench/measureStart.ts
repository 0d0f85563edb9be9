import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, megabytesOf } from '../harness/cost.ts';

/** A program that answered. */
export interface Started {
  /** From its start to its first answer. */
  readonly seconds: number;
  /** User and system time that it had taken by then, with its ended children, without those that live. */
  readonly cpuSeconds: number;
  /** The memory of the one process now (PSS). */
  megabytes(): number;
  /** Asks it to end and resolves when it is gone. */
  stop(): Promise<void>;
}

/** What is started, and the address that is asked until it answers. */
export interface Startable {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
}

/** Milliseconds between two questions. */
const askEveryMs = 10;

/** Milliseconds after which it counts as not starting. */
const patienceMs = 60_000;

/** Starts a program by Node and asks it until it answers 200. @throws when it ends or does not answer */
export const measureStart = async ({ program, args, env, url }: Startable): Promise<Started> => {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while (!(await answers(url))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} has ended`);
    if (performance.now() - begunAt > patienceMs) throw new Error(`${program} does not answer`);
    await sleep(askEveryMs);
  }
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

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200));
    }).on('error', () => resolve(false));
  });
