import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { missingControlPlane } from './testing/controlPlanePrograms.ts';
import { measureMany } from './testing/measureMany.ts';

suite(
  'many QueueScalers on a real control plane',
  { skip: missingControlPlane() || missingTool('redis-server') },
  () => {
    test('five take at most 160 MB and two requests per second, and write nothing at rest', async (t) => {
      const costs = await measureMany(5);
      t.diagnostic(JSON.stringify(costs));
      assert.ok(costs.megabytes <= 160, `${costs.megabytes} MB`);
      assert.ok(costs.requestsPerSecond <= 2, `${costs.requestsPerSecond} requests a second`);
      assert.equal(costs.writes, 0);
      assert.deepEqual([costs.livezWithoutRedis, costs.heldWithoutRedis], [200, 5]);
    });

    test('200 write nothing at rest, and keep their replicas while Redis does not respond', async (t) => {
      const costs = await measureMany(200);
      t.diagnostic(JSON.stringify(costs));
      assert.equal(costs.writes, 0);
      assert.deepEqual([costs.livezWithoutRedis, costs.heldWithoutRedis], [200, 200]);
    });
  },
);
