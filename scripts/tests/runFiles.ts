import { relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** A test, by where it stands. */
export interface RanTest {
  readonly file: string;
  readonly name: string;
}

/** What became of the tests of some files. */
export interface Outcome {
  readonly passed: readonly RanTest[];
  readonly failed: readonly RanTest[];
  readonly skipped: readonly (RanTest & { readonly reason: string })[];
}

/** Milliseconds after which a test counts as hanging and fails: several times what the longest takes on a busy machine. */
const patienceMs = 10 * 60_000;

/** Runs test files, each in a process of its own with `env` besides the environment of this one, and shows what they say. */
export const runFiles = async (files: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> => {
  const passed: RanTest[] = [];
  const failed: RanTest[] = [];
  const skipped: (RanTest & { reason: string })[] = [];
  const events = run({ files: [...files], concurrency: 2, timeout: patienceMs, env: { ...process.env, ...env } });
  events.on('test:pass', (data) => {
    if (isSuite(data) && !isSkipped(data)) return;
    if (isSkipped(data))
      skipped.push({ ...testOf(data), reason: data.skip === true ? 'no reason' : String(data.skip) });
    else passed.push(testOf(data));
  });
  events.on('test:fail', (data) => {
    if (!isSuite(data)) failed.push(testOf(data));
  });
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await finished(report);
  return { passed, failed, skipped };
};

interface TestData {
  readonly file?: string | undefined;
  readonly name: string;
  readonly skip?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined };
}

const testOf = ({ file = '', name }: TestData): RanTest => ({ file: relative('.', file), name });

const isSuite = ({ details }: TestData): boolean => details.type === 'suite';

const isSkipped = ({ skip }: TestData): boolean => skip !== undefined && skip !== false;
