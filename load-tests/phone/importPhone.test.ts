import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsLinux } from '../faults/processes.ts';
import { startFreshHearth } from '../media/freshHearth.ts';
import { lacksMedia } from '../media/manifest.ts';
import { importPhone, type PhoneReport } from './importPhone.ts';
import { takePhone } from './takePhone.ts';

test(
  'a small phone is imported: every Live Photo is one item, every video plays, and nothing needs attention',
  { skip: needsLinux.skip || lacksMedia },
  async (t) => {
    const phone = await takePhone(20, (doing) => t.diagnostic(doing));
    const seed = Math.floor(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const hearth = await startFreshHearth();
    let report: PhoneReport | undefined;
    let deaths: readonly string[] = [];
    try {
      report = await importPhone(phone, seed, hearth);
    } finally {
      deaths = await hearth.stop();
    }
    t.diagnostic(JSON.stringify({ ...report.figures, missed: report.missed }));
    assert.deepEqual([...report.faults, ...deaths], []);
  },
);
