import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { faultSuites, longestFirst, slowFiles, suites } from './suites.ts';

const files = globSync('{services,operators,load-tests,tests,scripts,charts,docs}/**/*.test.ts', {
  exclude: (path) => path.includes('node_modules'),
});

test('each test file belongs to one suite, and each that is named is there', () => {
  for (const file of files) assert.equal(suites.filter(({ has }) => has(file)).length, 1, file);
  for (const { path } of faultSuites)
    assert.ok(
      files.some((file) => file.startsWith(path)),
      path,
    );
  for (const path of slowFiles) assert.ok(files.includes(path), path);
});

test('files that take long begin first, and none is lost', () => {
  const ordered = longestFirst(files);
  assert.deepEqual(ordered.toSorted(), files.toSorted());
  assert.equal(ordered[0], slowFiles[0]);
  assert.deepEqual(longestFirst(['b.test.ts', 'a.test.ts']), ['a.test.ts', 'b.test.ts']);
});
