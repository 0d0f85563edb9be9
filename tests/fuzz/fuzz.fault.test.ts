import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { routes } from '@hearth/contract/routes.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { fuzzRequests } from './fuzzRequests.ts';
import { fuzzUploads } from './fuzzUploads.ts';
import { startFuzzedInstallation } from './installation.ts';

const choices = (seed: number, number: number): string => createRandom(seed, number).bytes(20).toString('hex');

const start = async (t: TestContext) => {
  t.diagnostic(`seed ${testSeed}`);
  const installation = await startFuzzedInstallation();
  t.after(() => installation.stop());
  return installation;
};

test('a seed and a case number determine every choice, and other cases choose differently', () => {
  assert.equal(choices(1, 2), choices(1, 2));
  const others = Array.from({ length: 100 }, (_, index) => choices(index % 10, Math.floor(index / 10)));
  assert.equal(new Set(others).size, 100);
});

test('400 mutated uploads get documented responses and end no process', async (t) => {
  const { statuses, items } = await fuzzUploads(await start(t), { seed: testSeed, first: 0, count: 400 });
  // Otherwise the API refuses all cases for the same reason, and they test nothing.
  for (const status of [200, 201, 400]) assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`);
  for (const status of ['READY', 'FAILED']) assert.ok((items.get(status) ?? 0) > 0, `no item became ${status}`);
});

test(
  'requests from the OpenAPI document, valid and invalid, get documented responses and end no process',
  { skip: missingTool('schemathesis') },
  async (t) => {
    const { statuses, operations, cases } = await fuzzRequests(await start(t), { seed: testSeed, examples: 10 });
    t.diagnostic(`${cases} cases: ${JSON.stringify([...statuses])}`);
    // Schemathesis does not call the route of the OpenAPI document itself.
    assert.equal(operations, Object.keys(routes).length - 1);
    for (const status of [200, 201, 204, 400, 401, 404, 405])
      assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`);
  },
);
