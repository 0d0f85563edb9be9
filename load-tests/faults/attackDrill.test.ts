import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAttackDrill } from './runAttackDrill.ts';

/** The small form of `npm run drill:attack`. Other tests run beside it, so that it only asks whether things go on; its disk is filled by `fullDisk.test.ts`. */
test('while one user sends everything that is made to stop Hearth, the photos and lists of another go on', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-attack-'));
  const minute = 60_000;
  const { figures, problems } = await runAttackDrill({
    directory,
    items: 2_000,
    rounds: 1,
    files: { nested: 1, scanned: 2 },
    nuisances: { searches: 20, slowBodies: 100, burst: 50 },
    photoEveryMs: 1_500,
    bounds: { ready: 2 * minute, list: minute, signIn: minute },
    say: (doing) => t.diagnostic(`${new Date().toISOString()} ${doing}`),
  });
  for (const [name, value] of Object.entries(figures)) t.diagnostic(`${name.padEnd(48)}${value}`);
  assert.deepEqual(problems, [], `the logs are kept in ${directory}`);
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
});
