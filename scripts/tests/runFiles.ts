import { randomUUID } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { nodeOptionsOfTests } from '@hearth/core/testing/nodeOptions.ts';
import { endProcesses } from './endProcesses.ts';
import { findLeak } from './findLeak.ts';

/** A test, by where it stands. */
export interface RanTest {
  readonly file: string;
  readonly name: string;
}

/** A test that failed, and what was said of it. */
export interface FailedTest extends RanTest {
  readonly reason: string;
}

/** What became of the tests of some files. */
export interface Outcome {
  /** How long each file took. */
  readonly seconds: ReadonlyMap<string, number>;
  readonly passed: readonly RanTest[];
  readonly failed: readonly FailedTest[];
  readonly skipped: readonly (RanTest & { readonly reason: string })[];
}

/** Milliseconds without a word from any test after which what runs counts as hanging: several times what the longest takes on a busy machine. */
const patienceMs = 10 * 60_000;

/** Milliseconds after which one test fails, and is named, while the others of its file go on: before all counts as hanging. */
const testTimeoutMs = patienceMs / 2;

/** How the processes of a run are known from all others. */
const mark = 'HEARTH_TEST_RUN';

/** How files are run. */
export interface RunOptions {
  /** Variables of the test files' processes besides those of this one. */
  readonly env?: Readonly<Record<string, string>>;
  /** How many files run at once. */
  readonly concurrency?: number;
  readonly silenceMs?: number;
}

/**
 * Runs test files, each in a process of its own, in the order given, and shows what they say. After `silenceMs`
 * without a word from any, the processes of all that still run are ended, and those files fail: the timeout of Node's runner reaches neither
 * a process that stays after its tests nor one that a test has left behind, which holds the runner by the output that it inherited. A file whose
 * processes write a secret fails too.
 */
export const runFiles = async (
  files: readonly string[],
  { env = {}, concurrency = 2, silenceMs = patienceMs }: RunOptions = {},
): Promise<Outcome> => {
  const passed: RanTest[] = [];
  const failed: FailedTest[] = [];
  const skipped: (RanTest & { reason: string })[] = [];
  const seconds = new Map<string, number>();
  const id = randomUUID();
  const events = run({
    files: [...files],
    concurrency,
    timeout: testTimeoutMs,
    execArgv: [...nodeOptionsOfTests],
    env: { ...process.env, ...env, [mark]: id },
  });
  const watch = setTimeout(() => {
    const count = endProcesses(mark, id);
    console.error(`Nothing was heard of any test for ${silenceMs / 60_000} minutes: ended ${count} processes.`);
    watch.refresh();
  }, silenceMs);
  for (const event of heard) events.on(event, () => watch.refresh());
  for (const event of ['test:stdout', 'test:stderr'] as const) {
    events.on(event, ({ file, message }) => {
      const leak = findLeak(message);
      if (leak !== undefined) failed.push({ ...testOf({ file, name: 'its processes write no secret' }), reason: leak });
    });
  }
  events.on('test:pass', (data) => {
    if (isSuite(data) && !isSkipped(data)) return;
    if (isSkipped(data))
      skipped.push({ ...testOf(data), reason: data.skip === true ? 'no reason' : String(data.skip) });
    else passed.push(testOf(data));
  });
  events.on('test:fail', (data) => {
    if (!isSuite(data)) failed.push({ ...testOf(data), reason: reasonOf(data.details.error) });
  });
  events.on('test:complete', ({ name, file, details }) => {
    // The runner itself says so of a file, by its path.
    if (file !== undefined && resolve(name) === file) seconds.set(relative('.', file), details.duration_ms / 1_000);
  });
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await finished(report);
  clearTimeout(watch);
  return { passed, failed, skipped, seconds };
};

/** In the order of the files come what tests print and whether they pass; `test:complete` comes at once. */
const heard = ['test:complete', 'test:pass', 'test:fail', 'test:diagnostic', 'test:stdout', 'test:stderr'] as const;

interface TestData {
  readonly file?: string | undefined;
  readonly name: string;
  readonly skip?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined };
}

const testOf = ({ file = '', name }: Pick<TestData, 'file' | 'name'>): RanTest => ({ file: relative('.', file), name });

/** What an assertion or any other error says. Node's runner wraps what a test throws, and says of a process that failed how it ended. */
const reasonOf = ({ message, cause, exitCode, signal }: Error & ProcessEnd): string => {
  if (cause instanceof Error) return cause.message;
  if (typeof signal === 'string') return `${message}: its process was ended by ${signal}`;
  return typeof exitCode === 'number' ? `${message}: its process ended with code ${exitCode}` : message;
};

interface ProcessEnd {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

const isSuite = ({ details }: TestData): boolean => details.type === 'suite';

const isSkipped = ({ skip }: TestData): boolean => skip !== undefined && skip !== false;
