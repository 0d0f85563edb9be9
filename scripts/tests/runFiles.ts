import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { nodeOptionsOfTests } from '@hearth/testkit/run/nodeOptions.ts';
import { endProcesses } from './endProcesses.ts';
import { findLeak } from './findLeak.ts';
import { writeGroup } from './groupFiles.ts';

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
  /** How many processes run at once. */
  readonly concurrency?: number;
  readonly silenceMs?: number;
}

/**
 * Runs test files, each group in a process of its own, in the order given, and shows what they say. After `silenceMs`
 * without a word from any, the processes of all that still run are ended, and those files fail: the timeout of Node's runner reaches neither
 * a process that stays after its tests nor one that a test has left behind, which holds the runner by the output that it inherited. Files whose
 * process writes a secret fail too, and so do those of a group that have not run to their end.
 */
export const runFiles = async (
  groups: readonly (readonly string[])[],
  { env = {}, concurrency = 2, silenceMs = patienceMs }: RunOptions = {},
): Promise<Outcome> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-test-groups-'));
  try {
    const groupsByPath = new Map<string, readonly string[]>();
    for (const [index, files] of groups.entries()) {
      const [first = '', ...others] = files;
      groupsByPath.set(others.length === 0 ? resolve(first) : await writeGroup(directory, String(index), files), files);
    }
    return await runGroups(groupsByPath, { env, concurrency, silenceMs });
  } finally {
    await rm(directory, { recursive: true });
  }
};

/** Runs programs, of each of which is known which test files it runs. */
const runGroups = async (
  groupsByPath: ReadonlyMap<string, readonly string[]>,
  { env, concurrency, silenceMs }: Required<RunOptions>,
): Promise<Outcome> => {
  const passed: RanTest[] = [];
  const failed: FailedTest[] = [];
  const skipped: (RanTest & { reason: string })[] = [];
  const seconds = new Map<string, number>();
  const id = randomUUID();
  const events = run({
    files: [...groupsByPath.keys()],
    concurrency,
    timeout: testTimeoutMs,
    execArgv: ['--import', import.meta.resolve('./endAtOnce.ts'), ...nodeOptionsOfTests],
    env: { ...process.env, ...env, [mark]: id },
  });
  const watch = setTimeout(() => {
    const count = endProcesses(mark, id);
    console.error(`Nothing was heard of any test for ${silenceMs / 60_000} minutes: ended ${count} processes.`);
    watch.refresh();
  }, silenceMs);
  /** Of what a whole process says or does, the files are named that it runs. */
  const testOf = ({ file = '', name }: Pick<TestData, 'file' | 'name'>): RanTest => {
    const files = groupsByPath.get(file);
    return { file: files === undefined ? relative('.', file) : files.join(', '), name };
  };
  /** The file whose tests a test holds: one of a group, or Node's own of a file that has a process of its own. */
  const fileOf = ({ file = '', name }: Pick<TestData, 'file' | 'name'>): string | undefined =>
    groupsByPath.get(file)?.find((member) => resolve(member) === resolve(name));
  for (const event of heard) events.on(event, () => watch.refresh());
  for (const event of ['test:stdout', 'test:stderr'] as const) {
    events.on(event, ({ file, message }) => {
      const leak = findLeak(message);
      if (leak !== undefined) failed.push({ ...testOf({ file, name: 'its processes write no secret' }), reason: leak });
    });
  }
  events.on('test:pass', (data) => {
    if ((isSuite(data) || fileOf(data) !== undefined || isOfProcess(data)) && !isSkipped(data)) return;
    if (isSkipped(data))
      skipped.push({ ...testOf(data), reason: data.skip === true ? 'no reason' : String(data.skip) });
    else passed.push(testOf(data));
  });
  events.on('test:fail', (data) => {
    const file = fileOf(data);
    if (isOfSubtests(data.details.error)) return;
    const test = isOfProcess(data) ? { ...testOf(data), name: 'the process ends well' } : testOf(data);
    failed.push({ ...test, ...(file !== undefined && { file }), reason: reasonOf(data.details.error) });
  });
  events.on('test:complete', (data) => {
    const file = fileOf(data);
    if (file !== undefined) seconds.set(file, data.details.duration_ms / 1_000);
  });
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await finished(report);
  clearTimeout(watch);
  for (const file of [...groupsByPath.values()].flat())
    if (!seconds.has(file)) failed.push({ file, name: 'the file runs to its end', reason: 'its process ended before' });
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

/** Whether Node says so of the process of a file or group, and not of a test. */
const isOfProcess = ({ file = '', name }: Pick<TestData, 'file' | 'name'>): boolean => file === resolve(name);

/** What an assertion or any other error says. Node's runner wraps what a test throws, and says of a process that failed how it ended. */
const reasonOf = ({ message, cause, exitCode, signal }: Error & ProcessEnd): string => {
  if (cause instanceof Error) return cause.message;
  if (typeof signal === 'string') return `${message}: its process was ended by ${signal}`;
  return typeof exitCode === 'number' ? `${message}: its process ended with code ${exitCode}` : message;
};

/** Whether it says only that tests within the one that failed did so too, which are told by themselves. Of a process that was killed, Node says it too. */
const isOfSubtests = ({
  failureType,
  exitCode = 1,
  signal,
}: Error & ProcessEnd & { readonly failureType?: string }): boolean =>
  failureType === 'subtestsFailed' && exitCode === 1 && typeof signal !== 'string';

interface ProcessEnd {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

const isSuite = ({ details }: TestData): boolean => details.type === 'suite';

const isSkipped = ({ skip }: TestData): boolean => skip !== undefined && skip !== false;
