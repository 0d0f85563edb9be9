import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileQuery } from '@hearth/contract/files.ts';
import { createLinks, type Links, type LinkTarget } from './links.ts';

const objects = { link: () => undefined };
const secret = 'a secret of at least 32 characters';
const links = createLinks({ secret, previous: [], baseUrl: '', objects });
const otherSecret = 'another secret of 32 characters at least';
const target = { key: 'user/item/original', type: 'image/jpeg', filename: 'Am Meer (1) & "2" 🏖️.jpg' };
/** Signs for a user with this epoch. */
const sign = (by: Links, what: LinkTarget, now?: Date, linkEpoch = 7) => by.forUser({ linkEpoch }, now).sign(what);
const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);
const parse = (link: string) => FileQuery.parse(Object.fromEntries(new URL(link, 'http://host').searchParams));

test('returns identical links in every process within one UTC day, and new ones the next day', () => {
  const made = sign(links, target, at('00:00:00.000'));
  assert.equal(sign(links, target, at('23:59:59.999')), made);
  const replica = createLinks({ secret, previous: [otherSecret], baseUrl: '', objects });
  assert.equal(sign(replica, { ...target }, at('12:00:00')), made);
  assert.notEqual(sign(links, target, new Date('2026-03-02T00:00:00Z')), made);
  assert.notEqual(sign(links, target, new Date('2026-02-28T23:59:59Z')), made);
});

test('returns other links for another epoch', () => {
  const query = parse(sign(links, target, at('12:00:00'), 7));
  assert.equal(query.epoch, 7);
  assert.notEqual(sign(links, target, at('12:00:00'), 8), sign(links, target, at('12:00:00'), 7));
  assert.equal(links.verify(target.key, { ...query, epoch: 8 }, at('12:00:00')), false);
});

test('accepts a link until 48 hours after the start of its day, at least for 24 hours', () => {
  const query = parse(sign(links, target, at('23:59:59.999')));
  assert.equal(links.verify(target.key, query, at('00:00:00')), true);
  assert.equal(links.verify(target.key, query, new Date('2026-03-02T23:59:59.999Z')), true);
  assert.equal(links.verify(target.key, query, new Date('2026-03-03T00:00:00.000Z')), false);
});

test('rejects a link of an unknown key', () => {
  const others = createLinks({ secret: otherSecret, previous: [], baseUrl: '', objects });
  const query = parse(sign(others, target));
  assert.equal(links.verify(target.key, query), false);
  assert.equal(links.verify(target.key, { ...query, key: parse(sign(links, target)).key }), false);
  assert.notEqual(query.key, parse(sign(links, target)).key);
});

test('accepts links of previous keys until they expire, and signs with the current key', () => {
  const rotated = createLinks({ secret: otherSecret, previous: ['x'.repeat(32), secret], baseUrl: '', objects });
  const old = parse(sign(links, target, at('12:00:00')));
  assert.equal(rotated.verify(target.key, old, at('12:00:01')), true);
  assert.equal(rotated.verify(target.key, old, new Date('2026-03-03T00:00:00Z')), false);
  assert.equal(rotated.verify(target.key, { ...old, key: 'x' }, at('12:00:01')), false);
  const { key } = parse(sign(rotated, target));
  assert.notEqual(key, old.key);
  assert.equal(createLinks({ secret: otherSecret, previous: [], baseUrl: '', objects }).verify(target.key, old), false);
});

test('repeats direct links to the store for half an hour, and lets them expire within an hour', () => {
  const requested: unknown[] = [];
  const direct = createLinks({
    secret,
    previous: [],
    baseUrl: 'https://photos.example',
    objects: { link: (object) => `https://store.example/${requested.push(object)}` },
  });
  assert.equal(sign(direct, target, at('12:30:00')), 'https://store.example/1');
  assert.equal(
    sign(direct, { key: 'user/item/thumbnail-1.webp', type: 'image/webp' }, at('12:59:59.999')),
    'https://store.example/2',
  );
  assert.deepEqual(requested, [
    {
      key: target.key,
      contentType: 'image/jpeg',
      contentDisposition: `inline; filename*=UTF-8''Am%20Meer%20%281%29%20%26%20%222%22%20%F0%9F%8F%96%EF%B8%8F.jpg`,
      signedAt: at('12:30:00'),
      validSeconds: 3_600,
    },
    {
      key: 'user/item/thumbnail-1.webp',
      contentType: 'image/webp',
      contentDisposition: 'inline',
      signedAt: at('12:30:00'),
      validSeconds: 3_600,
    },
  ]);
});

test('rejects a link with any changed value, or for another file', () => {
  const query = parse(sign(links, target));
  const changes = [
    { type: 'text/html' },
    { filename: undefined },
    { filename: `${target.filename}x` },
    { epoch: query.epoch! + 1 },
    { epoch: undefined },
    { expires: query.expires + 1 },
    { key: 'other' },
    { signature: '' },
    { signature: query.signature.slice(1) },
    { signature: `${query.signature}A` },
    { signature: `${query.signature.startsWith('A') ? 'B' : 'A'}${query.signature.slice(1)}` },
  ];
  assert.equal(links.verify(target.key, query), true);
  for (const change of changes)
    assert.equal(links.verify(target.key, { ...query, ...change }), false, JSON.stringify(change));
  assert.equal(links.verify('user/item/preview-1.jpg', query), false);
});

test('prefixes links with the public URL', () => {
  const link = sign(createLinks({ secret, previous: [], baseUrl: 'https://photos.example/hearth', objects }), target);
  assert.match(link, /^https:\/\/photos\.example\/hearth\/v1\/files\/user\/item\/original\?/);
});
