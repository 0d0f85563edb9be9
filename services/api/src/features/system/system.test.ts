import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi({ config: { gitSha: '6b3f1c2' } });
after(() => api.stop());

test('returns the API version, with the commit if known', async () => {
  assert.deepEqual((await api.call('getVersion')).body, { version: apiVersion, gitSha: '6b3f1c2' });
  const other = await startTestApi({ config: { gitSha: undefined } });
  assert.deepEqual((await other.call('getVersion')).body, { version: apiVersion });
  await other.stop();
});

test("returns the disk's total, free and used bytes", async () => {
  const { total = 0, free = 0, used } = (await api.call('getDisk')).body;
  assert.ok(total > 0 && free > 0 && used >= 0 && free + used <= total);
});

test("returns the contract's OpenAPI document", async () => {
  const { body } = await api.call('getOpenApiDocument');
  assert.deepEqual(body, JSON.parse(JSON.stringify(createOpenApiDocument({ version: apiVersion }))));
});

test('stays live but is not ready while it shuts down', async () => {
  assert.deepEqual((await api.call('getReadiness')).body, { status: 'ok' });
  api.deps.state.isStopping = true;
  const { status, error } = await api.call('getReadiness');
  assert.deepEqual([status, error.code], [503, 'UNAVAILABLE']);
  assert.deepEqual((await api.call('getLiveness')).body, { status: 'ok' });
  api.deps.state.isStopping = false;
});
