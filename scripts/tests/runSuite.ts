import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testNodeOptions } from '@hearth/testkit/run/nodeOptions.ts';
import type { Report } from './report.ts';

/** Timeout of one test. */
const testTimeoutMs = 5 * 60_000;

/** More files at once would exhaust the connections of the shared PostgreSQL. */
const maxFiles = 24;

export interface RunOptions {
  readonly filesPerCore?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Path of a module whose `globalSetup` runs first. */
  readonly setup?: string;
}

/** Runs test files with `node --test`, each in its own process, in the given order. */
export const runSuite = async (
  files: readonly string[],
  { filesPerCore = 1, env = {}, setup }: RunOptions = {},
): Promise<Report> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-test-report-'));
  const path = join(directory, 'report.json');
  const options = [
    '--test',
    // Otherwise a process may spin after its last test: https://github.com/nodejs/node/issues/47748.
    '--test-force-exit',
    `--import=${import.meta.resolve('./blockingOutput.mjs')}`,
    `--test-timeout=${testTimeoutMs}`,
    `--test-concurrency=${Math.min(filesPerCore * availableParallelism(), maxFiles)}`,
    ...(setup === undefined ? [] : [`--test-global-setup=${setup}`]),
    `--test-reporter=${fileURLToPath(import.meta.resolve('./report.ts'))}`,
  ];
  // With this variable Node refuses to run tests inside a test.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [...testNodeOptions, ...options, ...files], {
    env: { ...inherited, ...env, HEARTH_TEST_REPORT: path },
    stdio: 'inherit',
  });
  // Otherwise the runner would survive this process.
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', stop);
  const report = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => emptyReport,
  );
  await rm(directory, { recursive: true });
  if (code === 0 || report.failed.length > 0) return report;
  return { ...report, failed: [{ file: '', name: 'node --test', reason: `exited with ${code}` }] };
};

const emptyReport: Report = { passed: 0, failed: [], skipped: [], seconds: {} };
