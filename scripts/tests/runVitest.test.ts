import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runVitest } from './runVitest.ts';

test('what passes, fails and is skipped is told by file and name, and a file that cannot be read fails', async (t) => {
  const mixed = 'services/web/src/runVitest.mixed.test.ts';
  const broken = 'services/web/src/runVitest.broken.test.ts';
  t.after(() => Promise.all([mixed, broken].map((file) => rm(file, { force: true }))));
  await writeFile(
    mixed,
    `import { expect, test } from 'vitest';
     test('is right', () => expect(1).toBe(1));
     test('is wrong', () => expect(1).toBe(2));
     test.skip('is left out', () => undefined);`,
  );
  await writeFile(broken, `import './is-not-there.ts';`);
  const { passed, failed, skipped, seconds } = await runVitest([mixed, broken]);
  assert.deepEqual(passed, [{ file: mixed, name: 'is right' }]);
  const [wrong, unreadable] = failed.toSorted((a, b) => a.name.localeCompare(b.name));
  assert.deepEqual([wrong?.file, wrong?.name], [mixed, 'is wrong']);
  assert.match(wrong?.reason ?? '', /expected 1 to be 2/);
  assert.deepEqual([unreadable?.file, unreadable?.name], [broken, 'the file can be run']);
  assert.match(unreadable?.reason ?? '', /is-not-there/);
  assert.equal(failed.length, 2);
  assert.deepEqual(skipped, [{ file: mixed, name: 'is left out', reason: 'skipped' }]);
  assert.deepEqual([...seconds.keys()].toSorted(), [broken, mixed]);
});
