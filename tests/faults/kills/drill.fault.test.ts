import { test, type TestContext } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { drillInTest } from '@hearth/testkit/hearth/drill.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { runDrill, type DrillOptions } from './runDrill.ts';

/** The small form of `npm run drill`. */
const drill = (t: TestContext, size: Pick<DrillOptions, 'on' | 'photos' | 'kills' | 'empties' | 'awaySeconds'>) =>
  drillInTest(t, (context) => runDrill({ ...context, ...size, seed: testSeed }));

test('kills at any moment, and a queue that is emptied, neither lose nor double a photo', needsLinux, (t) =>
  drill(t, { on: 'embedded', photos: 30, kills: 10, empties: 2, awaySeconds: 0 }),
);

test(
  'nor do they with several processes, on PostgreSQL, Redis and S3, which are killed too and of which one is away for a while',
  { skip: needsLinux.skip || missingTool('redis-server', 'versitygw') },
  (t) => drill(t, { on: 'cluster', photos: 20, kills: 6, empties: 1, awaySeconds: 5 }),
);
