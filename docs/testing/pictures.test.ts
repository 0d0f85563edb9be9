import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { describePicture } from '@hearth/testkit/pictures/comparePictures.ts';
import { pictureNames } from '../../services/web/e2e/guide/shots.ts';
import { readPages } from './pages.ts';
import withoutPictures from './withoutPictures.json' with { type: 'json' };

/** Every picture together, in bytes: each page shows some, and git keeps each one that ever was. */
const mostBytes = 3_000_000;

const docs = join(import.meta.dirname, '../docs');
const files = globSync('images/guide/*', { cwd: docs });
const pages = readPages('user-guide');

/** The pictures that a page shows: where they lie within the pages, and what they are in words. */
const picturesOf = ({ id, text }: (typeof pages)[number]) =>
  [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', path = '']) => ({
    alt,
    path: posix.join(posix.dirname(id), path),
  }));

test('each page of the user guide has a picture, which its words describe, or a reason why it has none', () => {
  const shown = pages.map((page) => ({ id: page.id, pictures: picturesOf(page) }));
  assert.deepEqual(
    shown.filter(({ pictures }) => pictures.length === 0).map(({ id }) => id),
    Object.keys(withoutPictures).toSorted(),
  );
  for (const reason of Object.values(withoutPictures)) assert.match(reason, /\w+ \w+ \w+/);
  for (const { id, pictures } of shown) for (const { alt } of pictures) assert.ok(alt.length >= 30, `${id}: “${alt}”`);
  for (const { id, pictures } of shown.filter((page) => page.id.includes('/features/')))
    assert.ok(
      pictures.some(({ path }) => path.startsWith('images/guide/')),
      `${id} shows nothing of the app`,
    );
});

test('every picture that a page names is there, light and dark', () => {
  for (const page of pages)
    for (const { path } of picturesOf(page)) {
      assert.match(path, /-light\.(?:webp|svg)$/, page.id);
      for (const theme of ['light', 'dark'])
        assert.ok(existsSync(join(docs, path.replace('-light', `-${theme}`))), `${page.id}: npm run docs:screenshots`);
    }
});

test('every picture is one that the script takes, of one size, and shown by a page; together they are small', async () => {
  assert.deepEqual(
    files.toSorted(),
    pictureNames.flatMap((name) => ['dark', 'light'].map((theme) => `images/guide/${name}-${theme}.webp`)).toSorted(),
  );
  const shown = new Set(pages.flatMap(picturesOf).map(({ path }) => path));
  for (const name of pictureNames) assert.ok(shown.has(`images/guide/${name}-light.webp`), `no page shows ${name}`);
  for (const file of files) {
    assert.equal(await describePicture(readFileSync(join(docs, file))), '1280×800 webp', file);
  }
  const bytes = files.reduce((sum, file) => sum + statSync(join(docs, file)).size, 0);
  assert.ok(bytes <= mostBytes, `${bytes} bytes`);
});
