import { expect, test } from 'vitest';
import { getOutcome } from './sendOutcome.ts';
import { localTimestamp } from './sending.ts';

test.each([
  [0, undefined, { kind: 'held', reason: 'unreachable' }],
  [400, 'NOT_MEDIA', { kind: 'refused', reason: 'notMedia' }],
  [401, 'UNAUTHORIZED', { kind: 'halted', reason: 'signedOut' }],
  [404, 'NOT_FOUND', { kind: 'lost' }],
  [409, 'WRONG_OFFSET', { kind: 'hindered', reason: 'busy' }],
  [410, 'UPLOAD_GONE', { kind: 'lost' }],
  [413, undefined, { kind: 'refused', reason: 'tooLarge' }],
  [423, 'UPLOAD_LOCKED', { kind: 'hindered', reason: 'busy' }],
  [429, 'TOO_MANY_UPLOADS', { kind: 'held', reason: 'busy' }],
  [460, 'CHECKSUM_MISMATCH', { kind: 'hindered', reason: 'damagedOnTheWay' }],
  [500, 'INTERNAL', { kind: 'hindered', reason: 'server' }],
  [503, 'UNAVAILABLE', { kind: 'held', reason: 'busy' }],
  [507, 'STORAGE_FULL', { kind: 'halted', reason: 'storageFull' }],
  [507, 'QUOTA_EXCEEDED', { kind: 'halted', reason: 'quotaExceeded' }],
] as const)('maps status %i with code %s to an outcome', (status, code, expected) => {
  expect(getOutcome({ status, code, retryAfterSeconds: undefined })).toMatchObject(expected);
});

test('includes the UTC offset of this device in a local timestamp', () => {
  const atMs = Date.UTC(2022, 3, 3, 12, 56, 11);
  expect(localTimestamp(atMs)).toMatch(/^2022-04-0[234]T\d\d:\d\d:11[+-]\d\d:\d\d$/);
  expect(Date.parse(localTimestamp(atMs))).toBe(atMs);
});
