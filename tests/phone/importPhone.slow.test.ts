import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { withFreshHearth } from '../media/freshHearth.ts';
import { missingMedia } from '../media/manifest.ts';
import { importPhone } from './importPhone.ts';
import { makePhoneLibrary } from './makePhoneLibrary.ts';

test(
  'imports a small phone: every Live Photo is one item, every video plays, and no item fails',
  { skip: needsLinux.skip || missingMedia },
  async (t) => {
    const phone = await makePhoneLibrary(20, (doing) => t.diagnostic(doing));
    t.diagnostic(`seed ${testSeed}`);
    const { result: report, deaths } = await withFreshHearth((library) => importPhone(phone, testSeed, library));
    t.diagnostic(JSON.stringify({ ...report.figures, missed: report.missed }));
    assert.deepEqual([...report.faults, ...deaths], []);
  },
);
