import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';

/** A test with its file. */
export interface ReportedTest {
  readonly file: string;
  readonly name: string;
  /** Reason of the failure or the skip. */
  readonly reason: string;
}

/** Outcome of the test files of one run. */
export interface Report {
  passed: number;
  readonly failed: ReportedTest[];
  readonly skipped: ReportedTest[];
  /** Duration of each file, in seconds. */
  readonly seconds: Record<string, number>;
}

/** Time without any event after which the run fails: several times the duration of the longest test on a busy machine. */
const silenceMs = Number(process.env['HEARTH_TEST_SILENCE_MS'] ?? 10 * 60_000);

/**
 * Reporter for `node --test`: prints like the `spec` reporter and writes a `Report` as JSON to HEARTH_TEST_REPORT. A
 * secret in the output is a failure.
 * After `silenceMs` without an event, the running files fail and the run ends. Otherwise the runner would wait forever
 * for a process that a test left behind.
 */
// oxlint-disable-next-line import/no-default-export -- Node loads a reporter by its default export
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(record(source)).compose(spec) as AsyncIterable<string>;
}

/** Passes events on, and writes the report after the last one. */
async function* record(source: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const outcome: Report = { passed: 0, failed: [], skipped: [], seconds: {} };
  const running = new Set<string>();
  const write = (): void => writeFileSync(process.env['HEARTH_TEST_REPORT']!, JSON.stringify(outcome));
  const watch = setTimeout(() => {
    for (const file of running) outcome.failed.push({ file, name: 'the file ends', reason: 'no output for too long' });
    write();
    process.exit(1);
  }, silenceMs);
  for await (const event of source) {
    watch.refresh();
    recordEvent(event, outcome, running);
    yield event;
  }
  clearTimeout(watch);
  write();
}

const recordEvent = ({ type, data }: TestEvent, outcome: Report, running: Set<string>): void => {
  const file = data !== undefined && 'file' in data && data.file !== undefined ? relative('.', data.file) : '';
  if (type === 'test:stdout' || type === 'test:stderr') {
    const leak = findLeak(data.message);
    if (leak !== undefined) outcome.failed.push({ file, name: 'its processes print no secret', reason: leak });
  } else if (type === 'test:dequeue' && isFile(data)) running.add(file);
  else if (type === 'test:complete' && isFile(data)) {
    running.delete(file);
    outcome.seconds[file] = data.details.duration_ms / 1_000;
  } else if (type === 'test:fail') {
    const { error } = data.details;
    if (!hasFailedTests(error)) outcome.failed.push({ file, name: data.name, reason: getReason(error) });
  } else if (type === 'test:pass') {
    const { name, skip = false } = data;
    if (skip !== false) outcome.skipped.push({ file, name, reason: skip === true ? 'no reason' : skip });
    else if (data.details.type !== 'suite' && !isFile(data)) outcome.passed++;
  }
};

/** True for the event of a whole test file. */
const isFile = ({ file, name }: { readonly file?: string | undefined; readonly name: string }): boolean =>
  file === resolve(name);

interface TestError extends Error {
  readonly failureType?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/**
 * Returns true if only its subtests failed, which have their own events. Node reports the same for a file whose process
 * was killed.
 */
const hasFailedTests = ({ failureType, exitCode = 1, signal }: TestError): boolean =>
  failureType === 'subtestsFailed' && exitCode === 1 && typeof signal !== 'string';

const getReason = ({ message, cause, exitCode, signal }: TestError): string => {
  if (cause instanceof Error) return cause.message;
  if (typeof signal === 'string') return `${message}: process ended by ${signal}`;
  return typeof exitCode === 'number' ? `${message}: process ended with code ${exitCode}` : message;
};

/** Recognisable secrets by name: fixed values from the tests, and values with a distinctive format. */
const secretPatterns: Readonly<Record<string, RegExp>> = {
  "a test's password or secret": /the-keepers-password|a (?:token|link) secret for tests/,
  'a hash of a password': /\$argon2id\$v=/,
  'an access token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/,
  'the signature of a link': /[?&]signature=[\w-]{20,}/,
  'the id of a shared album': /\/v1\/sharing\/[0-9a-f]{8}-[0-9a-f]{4}-/i,
};

/** Returns the kind of secret in a text, or undefined if none is recognised. Processes must never print one. */
export const findLeak = (text: string): string | undefined =>
  Object.entries(secretPatterns).find(([, pattern]) => pattern.test(text))?.[0];
