import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { loadedWhenNeeded } from './testing/loadedWhenNeeded.ts';

/** As the tests of this folder have it built, and `npm start` serves it. */
const dist = join(import.meta.dirname, '../dist');
const read = (name: string): Promise<Buffer> => readFile(join(dist, name));

/** Below this size, in bytes, compressing saves no packet. */
const threshold = 1024;

test('every text lies there compressed by Brotli and gzip too, each with the same content', async () => {
  const texts = globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: dist });
  let compressed = 0;
  for (const name of texts) {
    const bytes = await read(name);
    if (bytes.length < threshold) continue;
    compressed += 1;
    const [brotli, gzip] = await Promise.all([read(`${name}.br`), read(`${name}.gz`)]);
    assert.ok(brotliDecompressSync(brotli).equals(bytes), `${name}.br`);
    assert.ok(gunzipSync(gzip).equals(bytes), `${name}.gz`);
    assert.ok(brotli.length < bytes.length, name);
  }
  assert.ok(compressed > 30, `only ${compressed} files`);
});

test('the page has nothing inline, and asks for nothing from elsewhere', async () => {
  const page = String(await read('index.html'));
  const scripts = [...page.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)];
  assert.ok(scripts.length > 0);
  for (const [tag, attributes, content] of scripts) {
    assert.match(attributes ?? '', /\bsrc="\/assets\/[^"]+"/, tag);
    assert.equal(content?.trim(), '', tag);
  }
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|javascript:/i);
  const addresses = [...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? '');
  assert.deepEqual(
    addresses.filter((address) => !/^\/(?!\/)/.test(address)),
    [],
  );
  for (const address of addresses) assert.ok((await stat(join(dist, address))).isFile(), address);
});

test('the manifest has phones offer Hearth where pictures are shared, and each icon is there', async () => {
  const manifest = JSON.parse(String(await read('manifest.webmanifest'))) as {
    readonly icons: readonly { readonly src: string }[];
    readonly share_target: object;
  };
  assert.deepEqual(manifest.share_target, {
    action: '/share-target',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'files', accept: ['image/*', 'video/*'] }] },
  });
  assert.ok(manifest.icons.length > 0);
  for (const { src } of manifest.icons) assert.ok((await stat(join(dist, src))).size > 0, src);
});

test('the map, the viewer and what uploads are scripts of their own', () => {
  for (const name of loadedWhenNeeded)
    assert.ok(globSync(`assets/${name}*.js`, { cwd: dist }).length > 0, `there is no script ${name}`);
});
