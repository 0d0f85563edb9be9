import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { readPageBytes, readProcessUsage } from './processUsage.ts';

const needsLinux = { skip: process.platform !== 'linux' && 'needs /proc' };

test('reads the page size of the kernel', needsLinux, () => {
  assert.equal(readPageBytes(), Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })));
});

test('reads the same resident memory as Node', needsLinux, () => {
  const { residentBytes } = readProcessUsage(process.pid)!;
  const expected = process.memoryUsage.rss();
  assert.ok(Math.abs(residentBytes - expected) < 0.1 * expected, `${residentBytes} instead of ${expected}`);
});
