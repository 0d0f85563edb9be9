import { test } from 'node:test';
import { drillInTest } from '@hearth/testkit/hearth/drill.ts';
import { runAttackDrill } from './attack/runAttackDrill.ts';

/** The small form of `npm run drill:attack`. Other tests run beside it, so that it only asks whether things go on; its disk is filled by `fullDisk.fault.test.ts`. */
test('while one user sends everything that is made to stop Hearth, the photos and lists of another go on', (t) => {
  const minute = 60_000;
  return drillInTest(t, (context) =>
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
