import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileQuery } from '@hearth/contract/files.ts';
import { createLinks } from './links.ts';

const links = createLinks('a secret of at least 32 characters', '');
const target = { key: 'user/item/original', type: 'image/jpeg', filename: 'Am Meer (1) & "2" 🏖️.jpg' };
const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);
const parse = (link: string) => FileQuery.parse(Object.fromEntries(new URL(link, 'http://host').searchParams));

test('links made within one day of UTC are identical, and the next day others', () => {
  const made = links.sign(target, at('00:00:00.000'));
  assert.equal(links.sign(target, at('23:59:59.999')), made);
  assert.notEqual(links.sign(target, new Date('2026-03-02T00:00:00Z')), made);
  assert.notEqual(links.sign(target, new Date('2026-02-28T23:59:59Z')), made);
});

test('a link works until 48 hours after its day began: for 24 hours at least', () => {
  const query = parse(links.sign(target, at('23:59:59.999')));
  assert.equal(links.verify(target.key, query, at('00:00:00')), true);
  assert.equal(links.verify(target.key, query, new Date('2026-03-02T23:59:59.999Z')), true);
  assert.equal(links.verify(target.key, query, new Date('2026-03-03T00:00:00.000Z')), false);
});

test('a link names the key that signed it, and a link of another key is none of ours', () => {
  const others = createLinks('another secret of 32 characters at least', '');
  const query = parse(others.sign(target));
  assert.equal(links.verify(target.key, query), false);
  assert.equal(links.verify(target.key, { ...query, key: parse(links.sign(target)).key }), false);
  assert.notEqual(query.key, parse(links.sign(target)).key);
});

test('nothing that a link says can be changed or moved from one field to another', () => {
  const query = parse(links.sign(target));
  const changes = [
    { type: 'text/html' },
    { filename: undefined },
    { filename: `${target.filename}x` },
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

test('links begin with the public address where there is one', () => {
  const link = createLinks('a secret of at least 32 characters', 'https://photos.example/hearth').sign(target);
  assert.match(link, /^https:\/\/photos\.example\/hearth\/v1\/files\/user\/item\/original\?/);
});
