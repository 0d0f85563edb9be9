import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkKey,
  faceKey,
  isEarlierVersion,
  isKey,
  isOriginalKey,
  mediaItemPrefix,
  motionKey,
  originalKey,
  parseKey,
  posterKey,
  previewKey,
  getPreviewType,
  thumbnailKey,
  userPrefix,
} from './keys.ts';
import { InvalidKeyError } from './objectErrors.ts';

const userId = '0198c1de-7a54-7d3a-9f0c-2b6c1f0f8a11';
const mediaItemId = 'a3bb189e-8bf9-4c5d-b6fe-0242ac120002';

/** The box of a face that lies partly outside of its picture. */
const box = { left: -0.01, top: 0.5, width: 1 / 3, height: 0.0001 };

/**
 * Every kind of file except tails and the shared copies of videos. A change here would lose all stored objects with
 * such a key.
 */
const layout: readonly (readonly [key: string, name: string])[] = [
  [originalKey(userId, mediaItemId), 'original'],
  [previewKey(userId, mediaItemId, 1), 'preview-1.jpg'],
  [previewKey(userId, mediaItemId, 1, 'webp'), 'preview-1.webp'],
  [previewKey(userId, mediaItemId, 1, 'mp4'), 'preview-1.mp4'],
  [thumbnailKey(userId, mediaItemId, 12), 'thumbnail-12.webp'],
  [posterKey(userId, mediaItemId, 3), 'poster-3.jpg'],
  [motionKey(userId, mediaItemId, 3), 'motion-3.mp4'],
  [faceKey(userId, mediaItemId, 3, box), 'face-3-0-5000-3333-1.webp'],
];

test('builds keys from user, item and name, and parses them', () => {
  for (const [key, name] of layout) {
    assert.equal(key, `${userId}/${mediaItemId}/${name}`);
    assert.deepEqual(parseKey(key), { userId, mediaItemId, name });
    assert.ok(key.startsWith(mediaItemPrefix(userId, mediaItemId)));
    assert.ok(key.startsWith(userPrefix(userId)));
    checkKey(key);
  }
});

test('returns the type of a preview by its extension, and video for an original that is its own preview', () => {
  assert.equal(getPreviewType(previewKey(userId, mediaItemId, 2)), 'image/jpeg');
  assert.equal(getPreviewType(previewKey(userId, mediaItemId, 2, 'webp')), 'image/webp');
  assert.equal(getPreviewType(previewKey(userId, mediaItemId, 2, 'mp4')), 'video/mp4');
  assert.equal(getPreviewType(originalKey(userId, mediaItemId)), 'video/mp4');
  assert.equal(isOriginalKey(originalKey(userId, mediaItemId)), true);
  assert.equal(isOriginalKey(previewKey(userId, mediaItemId, 2, 'mp4')), false);
});

test('ends prefixes with a slash, so that they exclude other ids', () => {
  assert.equal(userPrefix(userId), `${userId}/`);
  assert.equal(mediaItemPrefix(userId, mediaItemId), `${userId}/${mediaItemId}/`);
});

test('compares versions only of the same rendition of the same item', () => {
  const current = previewKey(userId, mediaItemId, 10);
  assert.equal(isEarlierVersion(previewKey(userId, mediaItemId, 9), current), true);
  assert.equal(isEarlierVersion(previewKey(userId, mediaItemId, 9, 'webp'), current), true);
  const other = { ...box, left: 0.25 };
  assert.equal(isEarlierVersion(faceKey(userId, mediaItemId, 9, box), faceKey(userId, mediaItemId, 10, other)), true);
  assert.equal(isEarlierVersion(faceKey(userId, mediaItemId, 10, box), faceKey(userId, mediaItemId, 10, other)), false);
  for (const key of [
    current,
    previewKey(userId, mediaItemId, 11),
    thumbnailKey(userId, mediaItemId, 9),
    previewKey(userId, userId, 9),
    originalKey(userId, mediaItemId),
    'notes-1.jpg',
  ]) {
    assert.equal(isEarlierVersion(key, current), false, key);
  }
  assert.equal(isEarlierVersion('notes-1.jpg', 'notes-2.jpg'), false);
});

test('rejects ids that are not lower-case UUIDs', () => {
  for (const id of ['', 'undefined', '..', `${userId}/x`, userId.toUpperCase(), userId.slice(1), `${userId}\n`]) {
    assert.throws(() => userPrefix(id), InvalidKeyError);
    assert.throws(() => mediaItemPrefix(userId, id), InvalidKeyError);
    assert.throws(() => originalKey(id, mediaItemId), InvalidKeyError);
    assert.throws(() => previewKey(userId, id, 1), InvalidKeyError);
    assert.throws(() => thumbnailKey(userId, id, 1), InvalidKeyError);
    assert.throws(() => posterKey(userId, id, 1), InvalidKeyError);
    assert.throws(() => motionKey(userId, id, 1), InvalidKeyError);
    assert.throws(() => faceKey(userId, id, 1, box), InvalidKeyError);
  }
});

test('returns undefined for a key outside of the layout', () => {
  const item = `${userId}/${mediaItemId}`;
  const others = ['', 'a', item, `${item}/`, `${item}/.hidden`, `${item}/a/b`, `x/${item}/a`, `${userId}/x/original`];
  for (const key of [...others, `${item}/original\n`, `${item.toUpperCase()}/original`]) {
    assert.equal(parseKey(key), undefined, key);
  }
});

test('accepts keys of 1–512 characters', () => {
  assert.ok(isKey('a'));
  assert.ok(isKey(`${'a'.repeat(255)}/${'b'.repeat(254)}/c`));
  assert.ok(!isKey(`${'a'.repeat(255)}/${'b'.repeat(255)}/c`));
  assert.ok(!isKey(''));
});

test('shows an invalid key in the message, shortened and escaped', () => {
  assert.throws(() => checkKey('a\nb'), { name: 'InvalidKeyError', message: /found "a\\nb"$/ });
  assert.throws(
    () => checkKey('/'.repeat(5000)),
    ({ message }: Error) => message.length < 300,
  );
});

test('rejects unknown extensions of previews', () => {
  for (const ending of ['jpg/original', '__proto__', '', 'mp4/../../x'])
    assert.throws(() => previewKey(userId, mediaItemId, 1, ending as 'jpg'), InvalidKeyError, ending);
});
