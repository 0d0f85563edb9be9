import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareMetadata } from '@hearth/testkit/mediaSet/compareMetadata.ts';
import { lacksMedia } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { listMetadataFiles, readMetadataFiles } from '@hearth/testkit/mediaSet/metadataSet.ts';
import { openTestExiftool } from '@hearth/testkit/decoders/testDecoders.ts';

/** Known values of the test media that METADATA does not find, as `file: field`, with the reason. */
const metadataShortfalls: Readonly<Record<string, string>> = {
  'video/Sony ILCE-7M3 (A7M3).mts: fps':
    'An MPEG transport stream has its frame rate in the H.264 frames, which exiftool does not read.',
  'video/webm.webm: fps':
    'The file states 1,000 fps, an artefact of rounding to milliseconds that is ignored. 24 is found only by counting frames.',
};

test('finds all known values of the test media except the listed shortfalls', { skip: lacksMedia }, async (t) => {
  const exiftool = await openTestExiftool({ timeoutMs: 60_000, maxProcs: 1 });
  t.after(() => exiftool.end());
  const files = listMetadataFiles();
  assert.ok(files.length > 200);
  const disagreements = (await readMetadataFiles(exiftool, files)).flatMap(({ name, expected, found }) =>
    compareMetadata(expected, found)
      .filter(({ agrees }) => !agrees)
      .map(({ field }) => `${name}: ${field}`),
  );
  assert.deepEqual(disagreements, Object.keys(metadataShortfalls));
});
