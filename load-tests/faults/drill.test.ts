import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { needsLinux } from './processes.ts';
import { runDrill } from './runDrill.ts';

/** The small form of `npm run drill`. */
const size = { photos: 30, kills: 10, empties: 2 };

test('kills at any moment, and a queue that is emptied, neither lose nor double a photo', needsLinux, async (t) => {
  const seed = Number(process.env['HEARTH_DRILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`drill with seed ${seed}: HEARTH_DRILL_SEED=${seed} repeats its plan`);
  const directory = await mkdtemp(join(tmpdir(), 'hearth-drill-'));
  const { figures, problems } = await runDrill({ ...size, seed, directory, say: (doing) => t.diagnostic(doing) });
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(problems, [], `the data and the logs are kept in ${directory}`);
  await rm(directory, { recursive: true, force: true });
});
