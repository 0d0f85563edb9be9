import { test } from 'node:test';
import { runDrillInTest } from '@hearth/testkit/hearth/drill.ts';
import { runAttackDrill } from './attack/runAttackDrill.ts';

/**
 * Small version of `npm run drill:attack`. Other tests run in parallel, so the bounds only detect a standstill.
 * `fullDisk.fault.test.ts` fills the disk.
 */
test("one user's hostile files and requests do not stop another user's photos and lists", (t) => {
  const minute = 60_000;
  return runDrillInTest(t, (context) =>
    runAttackDrill({
      ...context,
      items: 2_000,
      rounds: 1,
      files: { nested: 1, scanned: 2 },
      noisyLoad: { searches: 20, slowBodies: 100, burst: 50 },
      photoEveryMs: 1_500,
      bounds: { ready: 2 * minute, list: minute, signIn: minute },
    }),
  );
});
