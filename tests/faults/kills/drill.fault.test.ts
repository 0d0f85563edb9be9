import { test, type TestContext } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { runDrillInTest } from '@hearth/testkit/hearth/drill.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { runDrill, type DrillOptions } from './runDrill.ts';

/** Small version of `npm run drill`. */
const drill = (t: TestContext, size: Pick<DrillOptions, 'on' | 'photos' | 'kills' | 'empties' | 'awaySeconds'>) =>
  runDrillInTest(t, (context) => runDrill({ ...context, ...size, seed: testSeed }));

test(
  'loses and duplicates no photo when processes are killed at random moments and the queue is emptied',
  needsLinux,
  (t) => drill(t, { on: 'embedded', photos: 30, kills: 10, empties: 2, awaySeconds: 0 }),
);

test(
  'loses and duplicates no photo on a cluster when PostgreSQL, Redis and S3 are killed too and S3 has an outage',
  { skip: needsLinux.skip || missingTool('redis-server', 'versitygw') },
  (t) => drill(t, { on: 'cluster', photos: 20, kills: 6, empties: 1, awaySeconds: 5 }),
);
