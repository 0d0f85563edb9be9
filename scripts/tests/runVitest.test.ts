import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runVitest } from './runVitest.ts';

test('counts passed tests, and names tests that fail, are skipped or cannot be loaded', async (t) => {
  const mixed = 'services/web/src/runVitest.mixed.test.ts';
  const broken = 'services/web/src/runVitest.broken.test.ts';
  t.after(() => Promise.all([mixed, broken].map((file) => rm(file, { force: true }))));
  await writeFile(
    mixed,
    `import { expect, test } from 'vitest';
     test('right', () => expect(1).toBe(1));
     test('wrong', () => expect(1).toBe(2));
     test.skip('later', () => undefined);`,
  );
  await writeFile(broken, `import './missing.ts';`);
  const { passed, failed, skipped } = await runVitest([mixed, broken]);
  const [unloaded, wrong] = failed.toSorted((a, b) => a.file.localeCompare(b.file));
  assert.equal(passed, 1);
  assert.deepEqual([unloaded?.file, wrong?.file, wrong?.name, failed.length], [broken, mixed, 'wrong', 2]);
  assert.match(unloaded?.reason ?? '', /missing\.ts/);
  assert.match(wrong?.reason ?? '', /expected 1 to be 2/);
  assert.deepEqual(
    skipped.map(({ name }) => name),
    ['later'],
  );
});
