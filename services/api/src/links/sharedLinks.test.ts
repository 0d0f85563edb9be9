import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { sharedRenditions } from '@hearth/contract/vocabulary.ts';
import { createLinks } from './links.ts';
import type { SignedQuery } from './linkSigner.ts';
import { createSharedLinks, sharedFilePath } from './sharedLinks.ts';

const secret = 'a link secret for tests, long enough too';
const options = { secret, previous: ['an earlier link secret, long enough too'], baseUrl: '' };
const links = createSharedLinks(options);
const now = new Date('2026-11-21T12:00:00.500Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
const anyTarget = fc.record({
  shareId: fc.uuid(),
  mediaItemId: fc.uuid(),
  rendition: fc.constantFrom(...sharedRenditions),
});

const parseQuery = (link: string): SignedQuery => {
  const { expires, ...rest } = Object.fromEntries(new URL(link, 'http://host').searchParams) as Record<string, string>;
  return { expires: Number(expires), key: rest['key']!, signature: rest['signature']! };
};

test('accepts a link for 15 minutes, also after the secret is rotated', () => {
  fc.assert(
    fc.property(anyTarget, (target) => {
      const query = parseQuery(links.sign(target, now));
      const other = createSharedLinks({
        ...options,
        secret: 'a new link secret for tests, long enough',
        previous: [secret],
      });
      for (const [seconds, isValid] of [
        [0, true],
        [899, true],
        [900, false],
      ] as const) {
        assert.equal(links.verify(target, query, after(seconds)), isValid);
        assert.equal(other.verify(target, query, after(seconds)), isValid);
      }
    }),
  );
});

test('rejects a link with any changed part', () => {
  const change = fc.constantFrom('shareId', 'mediaItemId', 'rendition', 'expires', 'key', 'signature');
  fc.assert(
    fc.property(anyTarget, anyTarget, change, fc.nat(1_000), (target, other, part, n) => {
      const query = parseQuery(links.sign(target, now));
      const changed = {
        shareId: [{ ...target, shareId: other.shareId }, query],
        mediaItemId: [{ ...target, mediaItemId: other.mediaItemId }, query],
        rendition: [{ ...target, rendition: other.rendition }, query],
        expires: [target, { ...query, expires: query.expires + n - 500 }],
        key: [target, { ...query, key: `${query.key}${n}` }],
        signature: [target, { ...query, signature: flip(query.signature, n) }],
      } as const;
      const [to, by] = changed[part];
      const isSame = JSON.stringify([to, by]) === JSON.stringify([target, query]);
      assert.equal(links.verify(to, by, now), isSame);
    }),
  );
});

test("does not accept an owner's link as a visitor's, or the other way round", () => {
  const owners = createLinks({ ...options, objects: { link: () => undefined } });
  const target = { shareId: randomUUID(), mediaItemId: randomUUID(), rendition: 'preview' } as const;
  const visitors = parseQuery(links.sign(target));
  assert.equal(
    links.verify(
      target,
      parseQuery(owners.forUser({ linkEpoch: 7 }).sign({ key: sharedFilePath(target), type: 'image/jpeg' })),
    ),
    false,
  );
  assert.equal(owners.verify(sharedFilePath(target), { ...visitors, type: 'image/jpeg', epoch: 7 }), false);
});

const flip = (signature: string, n: number): string => {
  const at = n % signature.length;
  return `${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`;
};
