import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metadataBombs } from '@hearth/testkit/media/makeBombs.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { photoFormats } from './photoFormats.ts';
import { fuzzFormats } from '@hearth/testkit/decoders/fuzzFormats.ts';
import { makeSampleFiles } from '@hearth/testkit/media/sampleFiles.ts';
import { openRenderer } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { testVideos } from '@hearth/testkit/media/testVideos.ts';

test('renders the unmodified sample of each format', async () => {
  const render = await openRenderer();
  for (const [format, bytes] of Object.entries(await makeSampleFiles())) {
    if (format === 'raw') continue;
    const photo = await render(bytes);
    const upright = format === 'heif' ? [120, 160] : [160, 120];
    assert.deepEqual([photo.format, photo.width, photo.height, photo.warnings], [format, ...upright, []]);
  }
});

test('renders or rejects 600 mutated files of all formats, and leaves nothing behind', async (t) => {
  t.diagnostic(`seed ${testSeed}`);
  const outcomes = await fuzzFormats({ seed: testSeed, first: 0, count: 600 });
  assert.deepEqual(
    [...outcomes.keys()].toSorted(),
    [
      ...Object.keys(photoFormats),
      ...Object.keys(testVideos([])),
      ...Object.keys(metadataBombs),
      'a frozen time',
    ].toSorted(),
  );
  // If one of these outcomes is missing, the mutations break everything or nothing.
  for (const code of ['SHOWN', 'CORRUPT'])
    assert.ok(
      outcomes.values().some((counts) => counts.has(code)),
      `nothing was ${code}`,
    );
});
