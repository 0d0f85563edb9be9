import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsLinux } from '../harness/processTree.ts';
import { withFreshHearth } from './freshHearth.ts';
import { importMedia } from './importMedia.ts';
import { lacksMedia, listMediaFiles } from './manifest.ts';
import { judgeImport } from './mediaTable.ts';

test(
  'every file of the test media comes out of the API as it should, but for the known shortfalls, and no process dies',
  { skip: needsLinux.skip || lacksMedia },
  async (t) => {
    const { result: imported, deaths } = await withFreshHearth((library) =>
      importMedia(listMediaFiles(), library, (doing) => t.diagnostic(doing)),
    );
    const { faults, missed, files, values, agreeing } = judgeImport(imported, deaths);
    // What it takes is for `npm run report:media` on a machine with nothing else to do.
    t.diagnostic(JSON.stringify({ files, values, agreeing, missed }));
    assert.deepEqual(faults, []);
  },
);
