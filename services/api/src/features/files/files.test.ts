import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Readable } from 'node:stream';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { originalKey, previewKey } from '@hearth/core/objects/keys.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { getLinkEpoch as readEpoch } from '@hearth/testkit/api/linkEpoch.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { db, links, objects } = api.deps;
const user = await api.signUp();
after(() => api.stop());

const getEpoch = (userId: string) => readEpoch(db, userId);
const size = 1_000;
const bytes = randomBytes(size);

/** Returns a link to an original of 1,000 bytes, as signed by the API. */
const makeFile = async (filename = 'a.jpg', content = bytes): Promise<string> => {
  const { id } = await buildMediaItem(db, user.id, { filename, size_bytes: content.length });
  await objects.put(originalKey(user.id, id), Readable.from([content]));
  return (await user.call('getMediaItem', { params: { id } })).body.sourceUrl;
};

const link = await makeFile();
const get = async (headers: Record<string, string> = {}, method = 'GET') =>
  fetchLink(api.url, link, { headers, method });

test("serves the bytes of an item's link with long private caching", async () => {
  const { status, headers, bytes: got } = await get();
  assert.equal(status, 200);
  assert.deepEqual(got, bytes);
  assert.equal(headers.get('content-type'), 'image/jpeg');
  assert.equal(headers.get('content-length'), '1000');
  assert.equal(headers.get('accept-ranges'), 'bytes');
  const [, maxAge] = /^private, max-age=(\d+), immutable$/.exec(headers.get('cache-control') ?? '') ?? [];
  const left = Number(new URL(link, api.url).searchParams.get('expires')) - Date.now() / 1_000;
  assert.ok(left - 60 < Number(maxAge) && Number(maxAge) <= left + 1, `${maxAge} s, but the link works for ${left} s`);
  assert.equal(headers.get('vary'), null);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('returns 304 to a client that has the bytes', async () => {
  const etag = (await get()).headers.get('etag') ?? '';
  assert.match(etag, /^"[^"]+"$/);
  for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const response = await get({ 'if-none-match': tags });
    assert.deepEqual([response.status, response.headers.get('etag')], [304, etag], tags);
  }
  assert.equal((await get({ 'if-none-match': '"x"' })).status, 200);
});

test('responds to HEAD like GET, without the bytes', async () => {
  const [head, whole] = [await get({}, 'HEAD'), await get()];
  for (const name of ['content-type', 'content-length', 'etag', 'content-disposition', 'accept-ranges'])
    assert.equal(head.headers.get(name), whole.headers.get(name), name);
  // max-age is the remaining validity of the link, which may differ by a second.
  const [kept, keptWhole] = [head, whole].map(({ headers }) => headers.get('cache-control')?.replace(/\d+/, 'N'));
  assert.match(kept ?? '', /max-age=N/);
  assert.equal(kept, keptWhole);
  assert.equal(head.bytes.length, 0);
  assert.equal((await fetchLink(api.url, link.replace('signature=', 'signature=x'), { method: 'HEAD' })).status, 404);
});

for (const filename of [
  'photo.jpg',
  'Am Meer.jpg',
  '写真 🏖️.jpg',
  `it's "(1)" 100%;.jpg`,
  'a,b=c&d+e.jpg',
  'x'.repeat(255),
  '..jpg',
]) {
  test(`saves the file as ${filename.slice(0, 30)}`, async () => {
    const { headers, status } = await fetchLink(api.url, await makeFile(filename));
    assert.equal(status, 200);
    const [, encoded = ''] =
      /^inline; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(headers.get('content-disposition') ?? '') ?? [];
    assert.equal(decodeURIComponent(encoded), filename);
  });
}

/** Returns the link with a change. */
const changed = (change: (url: URL) => void): string => {
  const url = new URL(link, api.url);
  change(url);
  return url.href;
};

test('returns 404 for a link with any change', async () => {
  const other = await makeFile('b.jpg');
  const stranger = randomUUID();
  const existingTargets = [
    changed((url) => (url.pathname = url.pathname.replace('original', 'preview-1.jpg'))),
    changed((url) => (url.pathname = url.pathname.replace(user.id, stranger))),
  ];
  for (const address of existingTargets) {
    await objects.put(new URL(address).pathname.replace('/v1/files/', ''), Readable.from([bytes]));
  }
  const wrong = [
    ...['type', 'filename', 'expires', 'key', 'signature'].flatMap((name) => [
      changed(({ searchParams }) => searchParams.delete(name)),
      changed(({ searchParams }) => searchParams.set(name, '')),
      changed(({ searchParams }) => searchParams.set(name, name === 'expires' ? '9999999999' : 'text/html')),
      changed(({ searchParams }) => searchParams.append(name, searchParams.get(name) ?? '')),
    ]),
    changed((url) => (url.pathname = new URL(other, api.url).pathname)),
    // The targets of these links exist, so only the signature can reject them.
    ...existingTargets,
    changed((url) => (url.pathname = url.pathname.replace('original', '..%2Foriginal'))),
    changed((url) => (url.pathname = url.pathname.replace('original', '%zz'))),
    changed((url) => (url.pathname = url.pathname.replace(user.id, '%c3%28'))),
    changed((url) => (url.pathname = '/v1/files/a/b/c')),
    changed((url) => (url.search = '')),
  ];
  for (const address of wrong) {
    const { status, error } = await fetchLink(api.url, address);
    assert.deepEqual([status, error.code], [404, 'NOT_FOUND'], address);
  }
});

test('returns 404 for an expired link', async () => {
  const { key } = await putPreview();
  const address = links
    .forUser(await getEpoch(user.id), new Date(Date.now() - 48 * 3_600_000))
    .sign({ key, type: 'image/jpeg' });
  assert.equal((await fetchLink(api.url, address)).status, 404);
});

test('returns 404 for a link to a deleted object', async () => {
  const { key } = await putPreview();
  const address = links.forUser(await getEpoch(user.id)).sign({ key, type: 'image/jpeg' });
  assert.equal((await fetchLink(api.url, address)).status, 200);
  await objects.remove([key]);
  assert.equal((await fetchLink(api.url, address)).status, 404);
});

test('accepts a link only exactly as signed, character by character', async () => {
  const address = new URL(link, api.url);
  const signature = address.searchParams.get('signature')!;
  // Other last characters decode to the same bytes in base64url.
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = digits.indexOf(signature.at(-1)!);
  const sameBytes = `${signature.slice(0, -1)}${digits[last ^ 1]}`;
  assert.deepEqual(Buffer.from(sameBytes, 'base64url'), Buffer.from(signature, 'base64url'));
  for (const changed of [
    link.replace(user.id, user.id.toUpperCase()),
    link.replace('/original', '/origina%6c'),
    link.replace('/original', '/original/'),
    link.replace(signature, sameBytes),
    `${link}=`,
  ]) {
    assert.notEqual(changed, link);
    assert.equal((await fetchLink(api.url, changed)).status, 404, changed);
  }
  assert.equal((await fetchLink(api.url, link)).status, 200);
});

const noProc = existsSync('/proc/self/fd') ? false : 'needs /proc to see open files';

test('leaves no file open when readers disconnect', { skip: noProc }, async () => {
  const address = new URL(await makeFile('long.jpg', Buffer.alloc(20_000_000)), api.url);
  for (let reader = 0; reader < 5; reader++) {
    const leaving = new AbortController();
    const { body } = await fetch(address, { signal: leaving.signal });
    await body?.getReader().read();
    leaving.abort();
  }
  await waitUntil('no file is open', async () => (await openObjects()).length === 0);
});

const putPreview = async () => {
  const key = previewKey(user.id, randomUUID(), 1);
  await objects.put(key, Readable.from([bytes]));
  return { key };
};

const openObjects = async (): Promise<string[]> => {
  const paths = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return paths.filter((path) => path.includes('/objects/'));
};

test('reports an original that is shorter than recorded as damaged', async () => {
  const { id } = await buildMediaItem(db, user.id, { size_bytes: size + 1 });
  await objects.put(originalKey(user.id, id), Readable.from([bytes]));
  const { sourceUrl } = (await user.call('getMediaItem', { params: { id } })).body;
  assert.equal((await fetchLink(api.url, sourceUrl)).error.code, 'ORIGINAL_DAMAGED');
});
