import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

/** A file that reads the lists of kinds of real models in one of its three tests. */
const file = 'services/inference/src/labels/vocabulary.test.ts';

/** Returns the exit status of `npm test -- --data both` on the file, and the lines of its output. */
const runBoth = () =>
  new Promise<{ readonly code: number; readonly lines: readonly string[] }>((resolve) => {
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    execFile(
      process.execPath,
      [join(root, 'scripts/runTests.ts'), '--data', 'both', file],
      { cwd: root, env: { ...inherited, HEARTH_REQUIRE_TOOLS: '1' } },
      (error, stdout) => resolve({ code: Number(error?.code ?? 0), lines: stdout.trimEnd().split('\n') }),
    );
  });

test('--data both sums both runs in the last line, and requires test data in the first one only', async () => {
  const { code, lines } = await runBoth();
  const row = (name: string): (string | undefined)[] =>
    /^(.+?) +(\d+) +(\d+) +(\d+) +\d+$/.exec(lines.find((line) => line.startsWith(name)) ?? '')?.slice(2) ?? [];
  assert.deepEqual(row('without test data'), ['2', '0', '1']);
  // A machine may have no test data.
  const hasData = row('embedded tests')[0] === '3';
  assert.deepEqual(row('embedded tests'), hasData ? ['3', '0', '0'] : ['2', '0', '1']);
  assert.deepEqual([code, lines.at(-1)], hasData ? [0, '5 passed, 0 failed'] : [1, '4 passed, 1 failed']);
});
