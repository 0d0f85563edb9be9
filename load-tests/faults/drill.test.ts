import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { needsLinux } from './processes.ts';
import { runDrill, type DrillOptions } from './runDrill.ts';

/** The small form of `npm run drill`. */
const drill = async (
  t: TestContext,
  size: Pick<DrillOptions, 'on' | 'photos' | 'kills' | 'empties' | 'awaySeconds'>,
) => {
  const seed = Number(process.env['HEARTH_DRILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`drill with seed ${seed}: HEARTH_DRILL_SEED=${seed} repeats its plan`);
  const directory = await mkdtemp(join(tmpdir(), 'hearth-drill-'));
  const { figures, problems } = await runDrill({ ...size, seed, directory, say: (doing) => t.diagnostic(doing) });
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(problems, [], `the data and the logs are kept in ${directory}`);
  await rm(directory, { recursive: true, force: true });
};

test('kills at any moment, and a queue that is emptied, neither lose nor double a photo', needsLinux, (t) =>
  drill(t, { on: 'embedded', photos: 30, kills: 10, empties: 2, awaySeconds: 0 }),
);

test(
  'nor do they with several processes, on PostgreSQL, Redis and S3, which are killed too and of which one is away for a while',
  { skip: needsLinux.skip || missingTool('redis-server', 'versitygw') },
  (t) => drill(t, { on: 'cluster', photos: 20, kills: 6, empties: 1, awaySeconds: 5 }),
);
