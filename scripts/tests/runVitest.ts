import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Report } from './report.ts';

/** The fields read from the output of Vitest's `json` reporter. */
interface VitestOutput {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: 'passed' | 'failed';
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs test files of the web app with Vitest. A file that cannot be loaded is a failure. */
export const runVitest = async (files: readonly string[]): Promise<Report> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-vitest-'));
  const path = join(directory, 'report.json');
  const options = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${path}`];
  const vitest = spawn(
    process.execPath,
    [resolve('node_modules/vitest/vitest.mjs'), ...options, ...files.map((file) => resolve(file))],
    { cwd: 'services/web', stdio: 'inherit' },
  );
  await once(vitest, 'close');
  const output = JSON.parse(await readFile(path, 'utf8')) as VitestOutput;
  await rm(directory, { recursive: true });
  const tests = output.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const file = relative('.', path);
    return [
      ...(status === 'failed' && assertionResults.length === 0
        ? [{ file, name: 'the file is loaded', status, reason: message }]
        : []),
      ...assertionResults.map(({ fullName: name, status: result, failureMessages }) => ({
        file,
        name,
        status: result,
        reason: failureMessages.join('\n'),
      })),
    ];
  });
  return {
    passed: output.numPassedTests,
    failed: tests.filter(({ status }) => status === 'failed'),
    skipped: tests.filter(({ status }) => status !== 'failed' && status !== 'passed'),
    seconds: {},
  };
};
