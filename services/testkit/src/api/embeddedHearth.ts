import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';

/** `npm start` as a process with its own data folder. */
export interface EmbeddedHearth {
  readonly url: string;
  /** Output until Hearth is running or has ended. */
  readonly output: string;
  /** Exit code. Null if Hearth is running. */
  readonly exitCode: number | null;
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, '../../../api/src/embedded/main.ts');

/** A test or test file that runs hooks at its end. */
export interface ExitOptions {
  after(hook: () => Promise<void>): void;
}

/** Starts Hearth, and resolves when it is running or has ended. Stops it at the end of the test or file. */
export const startEmbedded = async (
  t: ExitOptions,
  dataDirectory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<EmbeddedHearth> => {
  const port = await findFreePort();
  const child = spawn(process.execPath, [program], {
    env: {
      ...compileCache,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HEARTH_DATA_DIR: dataDirectory,
      HEARTH_PORT: String(port),
      HEARTH_METRICS_PORT: '0',
      HEARTH_OFFLINE: '1',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const running = Promise.withResolvers<void>();
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes('End            Ctrl-C')) running.resolve();
    });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  t.after(stop);
  await Promise.race([running.promise, ended]);
  return { url: `http://127.0.0.1:${port}`, output, exitCode: child.exitCode, stop };
};
