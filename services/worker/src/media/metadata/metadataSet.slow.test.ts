import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeMetadata } from '@hearth/testkit/mediaSet/judgeMetadata.ts';
import { metadataShortfalls } from '@hearth/testkit/mediaSet/metadataShortfalls.ts';
import { lacksMedia } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { listMetadataFiles, readMetadataOf } from '@hearth/testkit/mediaSet/metadataSet.ts';
import { openOwnExiftool } from '@hearth/testkit/decoders/ownTools.ts';

test(
  'every value that the test media are known by is found, but for the known shortfalls',
  { skip: lacksMedia },
  async (t) => {
    const exiftool = await openOwnExiftool({ timeoutMs: 60_000, maxProcs: 1 });
    t.after(() => exiftool.end());
    const files = listMetadataFiles();
    assert.ok(files.length > 200);
    const disagreements = (await readMetadataOf(exiftool, files)).flatMap(({ name, expected, found }) =>
      judgeMetadata(expected, found)
        .filter(({ agrees }) => !agrees)
        .map(({ field }) => `${name}: ${field}`),
    );
    assert.deepEqual(disagreements, Object.keys(metadataShortfalls));
  },
);
