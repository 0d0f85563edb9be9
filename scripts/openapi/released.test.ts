import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBreaks } from './findBreaks.ts';
import { newestRelease, presentDocument } from './releases.ts';

test('the contract keeps what the newest released document promises', () => {
  const released = newestRelease();
  assert.ok(released, 'npm run release:openapi writes docs/openapi');
  assert.deepEqual(
    findBreaks(released, presentDocument()),
    [],
    'keep it, or raise apiVersion in contract/src/system.ts and release',
  );
});
