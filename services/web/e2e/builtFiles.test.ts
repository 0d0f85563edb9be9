import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { lazyModules } from './testing/lazyModules.ts';

/** Built by the tests of this folder, as served by `npm start`. */
const dist = join(import.meta.dirname, '../dist');
const read = (name: string): Promise<Buffer> => readFile(join(dist, name));

/** Files below this size, in bytes, fit into one packet without compression. */
const compressionThreshold = 1024;

test('all text files are also compressed by Brotli and gzip, with the same content', async () => {
  const texts = globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: dist });
  let compressed = 0;
  for (const name of texts) {
    const bytes = await read(name);
    if (bytes.length < compressionThreshold) continue;
    compressed += 1;
    const [brotli, gzip] = await Promise.all([read(`${name}.br`), read(`${name}.gz`)]);
    assert.ok(brotliDecompressSync(brotli).equals(bytes), `${name}.br`);
    assert.ok(gunzipSync(gzip).equals(bytes), `${name}.gz`);
    assert.ok(brotli.length < bytes.length, name);
  }
  assert.ok(compressed > 30, `only ${compressed} files`);
});

test('the page has no inline scripts or styles, and loads nothing from other origins', async () => {
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

test('the manifest declares a share target, and all its icons exist', async () => {
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

test('map, viewer and upload engine are separate scripts', () => {
  for (const name of lazyModules)
    assert.ok(globSync(`assets/${name}*.js`, { cwd: dist }).length > 0, `script ${name} is missing`);
});
