import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { FailedTest, Outcome, RanTest } from './runFiles.ts';

/** What Vitest's reporter `json` writes, as far as it is read here. */
interface VitestReport {
  readonly testResults: readonly {
    /** Absolute path of a test file. */
    readonly name: string;
    readonly status: 'passed' | 'failed';
    /** Why the file could not be run; empty where it could. */
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo';
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/**
 * Runs the test files of the web app, which need Vite to be understood, and shows what Vitest says. A file that cannot be run at all is one
 * failed test. `files` are paths from the root of the repository.
 */
export const runVitest = async (files: readonly string[]): Promise<Outcome> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-vitest-'));
  try {
    const outputFile = join(directory, 'report.json');
    const app = resolve('services/web');
    const vitest = spawn(
      process.execPath,
      [
        resolve('node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${outputFile}`,
        ...files.map((file) => relative(app, file)),
      ],
      { cwd: app, stdio: 'inherit' },
    );
    await once(vitest, 'close');
    const report = await readFile(outputFile, 'utf8').catch(() => undefined);
    if (report === undefined) return withoutReport;
    return outcomeOf(JSON.parse(report) as VitestReport);
  } finally {
    await rm(directory, { recursive: true });
  }
};

const withoutReport: Outcome = {
  passed: [],
  failed: [{ file: 'services/web', name: 'Vitest writes its report', reason: 'there is none' }],
  skipped: [],
  seconds: new Map(),
};

function outcomeOf({ testResults }: VitestReport): Outcome {
  const passed: RanTest[] = [];
  const failed: FailedTest[] = [];
  const skipped: (RanTest & { reason: string })[] = [];
  const seconds = new Map<string, number>();
  for (const { name, status, message, startTime, endTime, assertionResults } of testResults) {
    const file = relative('.', name);
    seconds.set(file, (endTime - startTime) / 1_000);
    for (const { fullName, status: result, failureMessages } of assertionResults) {
      const test = { file, name: fullName };
      if (result === 'passed') passed.push(test);
      else if (result === 'failed') failed.push({ ...test, reason: failureMessages.join('\n') });
      else skipped.push({ ...test, reason: result });
    }
    const hasFailed = assertionResults.some((test) => test.status === 'failed');
    if (status === 'failed' && !hasFailed) failed.push({ file, name: 'the file can be run', reason: message });
  }
  return { passed, failed, skipped, seconds };
}
