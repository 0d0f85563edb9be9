import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, suite, test } from 'node:test';
import type { MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { searchByText } from '@hearth/api/features/search/queries.ts';
import { rotate } from '@hearth/testkit/pictures/pictureVariants.ts';
import { paintPhoto, paintSign } from '@hearth/testkit/pictures/paintedPhoto.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { mediaPath } from '@hearth/testkit/models/testModels.ts';
import { lacksMedia } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { listItemText } from '@hearth/api/features/media-items/queries.ts';

// OCR models are installed by npm, so no model folder is configured.
const worker = await openTestWorker();
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const listLines = async ({ id }: MediaItemRow) => listItemText(deps.db, id);

const findRun = async ({ id }: MediaItemRow) => {
  const run = (await listRuns(deps.db, id)).find(({ component }) => component === 'OCR');
  return [run?.state, run?.reason];
};

const processUpload = async (bytes: Buffer, values: Partial<NewMediaItem> = {}): Promise<MediaItemRow> =>
  worker.process(await worker.store(bytes, values));

const find = async (query: string): Promise<string[]> => {
  const page = { limit: 50, start: { number: 1 } };
  return (await searchByText(deps.db, { userId: user.id, features: {} }, query, page)).entries.map(({ id }) => id);
};

suite('with the test media', { skip: lacksMedia }, () => {
  /** Search terms that must find each picture: signs, products, pages and screenshots. */
  const expected: Readonly<Record<string, readonly string[]>> = {
    'text/craft-beer.jpg': ['barrel aged', 'weekend warrior', 'weekendwarrior'],
    'text/french_0.jpg': ['palais du', 'les arts', 'Palais-Royal'],
    'text/ger_1.jpg': ['EPPING', 'twinned with', 'Eppingen'],
    'text/cn_product.jpg': ['护发素'],
    'text/smriti_ocr_example.jpg': ['quick brown', 'lazy dogs'],
    'screenshot/screenshot.png': ['gopher', 'sidecar'],
    'screenshot/Screenshot_2024-06-01-10-20-30.png': ['Move album to trash', 'november 30'],
  };
  for (const [path, queries] of Object.entries(expected))
    test(`finds ${path} by the text in it`, async () => {
      const type = path.endsWith('.png') ? { mime_type: 'image/png' } : {};
      const item = await processUpload(await readFile(mediaPath(path)), type);
      assert.deepEqual(await findRun(item), ['DONE', null]);
      const lines = await listLines(item);
      const all = lines.map(({ text }) => text).join('\n');
      for (const query of queries) assert.ok((await find(query)).includes(item.id), `${query}: ${all}`);
      for (const { text, confidence, corners } of lines) {
        assert.ok(confidence >= 0.5 && confidence <= 1, `${text}: ${confidence}`);
        for (const { x, y } of corners) assert.ok(x > -0.1 && x < 1.1 && y > -0.1 && y < 1.1, `${text}: ${x}, ${y}`);
      }
    });

  test('returns the position of each line', async () => {
    const item = await processUpload(await readFile(mediaPath('screenshot/screenshot.png')), {
      mime_type: 'image/png',
    });
    const line = (await listLines(item)).find(({ text }) => /unknown/i.test(text))!;
    // Measured by hand: 69 to 222 pixels from the left of 721, 11 to 32 from the top of 332.
    const [begin, , end] = line.corners;
    assert.ok(Math.abs(begin!.x - 69 / 721) < 0.02 && Math.abs(begin!.y - 11 / 332) < 0.03, JSON.stringify(begin));
    assert.ok(Math.abs(end!.x - 222 / 721) < 0.02 && Math.abs(end!.y - 32 / 332) < 0.03, JSON.stringify(end));
  });

  for (const degrees of [90, 180, 270] as const)
    test(`reads the text of a picture rotated by ${degrees}°`, async () => {
      const item = await processUpload(await rotate(mediaPath('text/smriti_ocr_example.jpg'), degrees));
      const text = (await listLines(item)).map((line) => line.text.replaceAll(/\s/g, '')).join('');
      assert.match(text, /quickbrownfox.*lazydog/i);
    });

  test('finds no text in photos without text', async () => {
    for (const path of [
      'things/cat_black.jpg',
      'faces/girl_blond1.jpg',
      'things/beach_sand.jpg',
      'things/elephants.jpg',
    ]) {
      const item = await processUpload(await readFile(mediaPath(path)));
      assert.deepEqual([await findRun(item), await listLines(item)], [['DONE', null], []], path);
    }
  });

  test('stores each line once when a picture is reprocessed', async () => {
    const item = await processUpload(await readFile(mediaPath('text/ger_1.jpg')));
    const before = await listLines(item);
    const again = { state: 'PENDING', next_attempt_at: new Date(0) } as const;
    await deps.db.updateTable('component_runs').set(again).where('media_item_id', '=', item.id).execute();
    await worker.process(item);
    assert.deepEqual(await listLines(item), before);
  });
});

test('finds a photo by the word that is painted on it', async () => {
  const item = await processUpload(await paintSign('HEATH'));
  assert.deepEqual(await findRun(item), ['DONE', null]);
  assert.deepEqual(
    (await listLines(item)).map((line) => line.text),
    ['HEATH'],
  );
  assert.deepEqual(await find('heath'), [item.id]);
});

test('finds no text in a painted photo without text', async () => {
  const item = await processUpload(await paintPhoto(640, 480, '<circle cx="320" cy="240" r="150" fill="orange"/>'));
  assert.deepEqual([await findRun(item), await listLines(item)], [['DONE', null], []]);
});

test('reads the poster of a video', async () => {
  const film = await makeTestVideo({ seed: 1, frames: 10, width: 320, height: 240 });
  const item = await processUpload(film, { type: 'VIDEO', mime_type: 'video/vnd.avi', filename: 'film.avi' });
  assert.deepEqual(await findRun(item), ['DONE', null]);
});

test('fails OCR of an unreadable photo with the reason of its preview', async () => {
  const whole = await makeTestPhoto({ seed: 801 });
  assert.deepEqual(await findRun(await processUpload(whole.subarray(0, 150))), ['FAILED', 'CORRUPT']);
});
