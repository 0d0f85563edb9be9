import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openConfinement } from '../sandbox/confinement/confinement.ts';
import { examinePhoto } from '@hearth/testkit/mediaSet/examinePhoto.ts';
import { comparePhoto } from '@hearth/testkit/mediaSet/comparePhoto.ts';
import { lacksMedia, listTestPhotos } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { openTestDecoders, openTestExiftool } from '@hearth/testkit/decoders/testDecoders.ts';

test('renders every still picture of the test media as expected', { skip: lacksMedia }, async (t) => {
  const scratchDirectory = await mkdtemp(join(tmpdir(), 'hearth-media-set-'));
  const confinement = await openConfinement({ dataDirectory: scratchDirectory, scratchDirectory });
  const pool = openTestDecoders({ size: 2, timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 150e6, confinement });
  const exiftool = await openTestExiftool({ timeoutMs: 60_000, maxProcs: 1, confinement });
  t.after(async () => {
    await Promise.all([pool.close(), exiftool.end()]);
    await rm(scratchDirectory, { recursive: true });
  });
  const compared = await Promise.all(
    listTestPhotos().map(async (photo) => {
      return [
        photo.name,
        comparePhoto(photo.expected, await examinePhoto(photo, { decoders: pool, exiftool, scratchDirectory })),
      ] as const;
    }),
  );
  assert.deepEqual(Object.fromEntries(compared.filter(([, disagreements]) => disagreements.length > 0)), {});
});
