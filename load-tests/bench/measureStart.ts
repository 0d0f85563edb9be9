import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isResponding } from '@hearth/testkit/servers/replica.ts';
import { measureCpuSeconds, measureMegabytes } from '@hearth/testkit/figures/cost.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

/** A started program that has responded. */
export interface Started {
  /** From start to the first response. */
  readonly seconds: number;
  /** User and system time until the first response, of the process and its ended children. */
  readonly cpuSeconds: number;
  /** Current memory (PSS) of the process without its children. */
  megabytes(): number;
  /** Sends the stop signal and resolves when the process has exited. */
  stop(): Promise<void>;
}

/** A program and the URL that responds once it is ready. */
export interface StartCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
}

/** Polls every `everyMs`. A start counts as failed after `timeoutMs`. */
const waitOptions = { everyMs: 10, timeoutMs: 60_000 } as const;

/**
 * Starts a Node program and polls its URL until it responds with success. @throws if it exits or does not respond in
 * time
 */
export const measureStart = async ({ program, args, env, url }: StartCommand): Promise<Started> => {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const hasResponded = async (): Promise<boolean> => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} exited`);
    return isResponding(url);
  };
  await waitFor(`${program} responds`, hasResponded, waitOptions);
  return {
    seconds: (performance.now() - begunAt) / 1_000,
    cpuSeconds: measureCpuSeconds(child.pid!),
    megabytes: () => measureMegabytes(child.pid!),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
