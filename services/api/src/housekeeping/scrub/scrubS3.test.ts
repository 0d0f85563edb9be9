import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, afterEach, suite, test, type TestContext } from 'node:test';
import { createLog } from '@hearth/core/log/log.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { openS3Store } from '@hearth/core/objects/s3/s3Store.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';
import { s3Error, startS3Proxy } from '@hearth/testkit/proxies/s3Proxy.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { startScrubFixture } from '@hearth/testkit/api/scrubFixture.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

suite('scrub of a bucket', { skip: missingTool('versitygw') }, async () => {
  const s3 = await startTestS3();
  after(async () => {
    await bucket[Symbol.asyncDispose]();
    await s3.stop();
  });
  const bucket = await makeBucket(s3);
  const { settings } = bucket;
  const api = await startTestApi();
  after(() => api.stop());
  const deps = { ...api.deps, objects: bucket.store };
  await deps.objects.prepare();
  const fixture = await startScrubFixture({ deps });
  afterEach(() => fixture.clear());
  const log = createLog('test', 'error');

  /** Opens the bucket through a proxy that rejects some requests. */
  const openRejecting = async (t: TestContext, status: number, isRejected: (request: IncomingMessage) => boolean) => {
    const reject = (request: IncomingMessage) =>
      isRejected(request) ? { status, body: s3Error(status === 403 ? 'AccessDenied' : 'InternalError') } : undefined;
    return openS3Store({ ...settings, endpoint: await startS3Proxy(t, s3.endpoint, reject) }, log);
  };

  test('records which originals are intact, damaged and missing', async () => {
    const { id: userId } = await buildUser(deps.db);
    const [fine, damaged, gone] = [
      await fixture.store(userId),
      await fixture.store(userId),
      await fixture.store(userId),
    ];
    await fixture.put(originalKey(userId, damaged.id), '!'.repeat(64));
    await deps.objects.remove([originalKey(userId, gone.id)]);
    await fixture.scrub();
    assert.deepEqual(await fixture.listResults(), { [fine.id]: 'OK', [damaged.id]: 'DAMAGED', [gone.id]: 'MISSING' });
  });

  for (const status of [403, 500]) {
    test(`stops and marks no original if the server responds to every request with ${status}`, async (t) => {
      const { id: userId } = await buildUser(deps.db);
      await fixture.store(userId);
      const objects = await openRejecting(t, status, () => true);
      await assert.rejects(fixture.scrub(undefined, { objects }), { name: 'StoreError' });
      assert.deepEqual(await fixture.listResults(), {});
      assert.notEqual((await fixture.readState())?.stopped_at, null);
    });
  }

  test('keeps its results when the server starts to reject requests, and marks no other original', async (t) => {
    const { id: userId } = await buildUser(deps.db);
    for (let n = 0; n < 10; n += 1) await fixture.store(userId);
    let reads = 0;
    const objects = await openRejecting(t, 403, ({ method, url }) => {
      if (method === 'GET' && url!.includes('/original')) reads += 1;
      return reads > 4;
    });
    await assert.rejects(fixture.scrub(undefined, { objects }), { name: 'StoreError' });
    assert.deepEqual(Object.values(await fixture.listResults()), ['OK', 'OK', 'OK', 'OK']);
    await fixture.scrub();
    assert.deepEqual(
      Object.values(await fixture.listResults()),
      Array.from({ length: 10 }, () => 'OK'),
    );
    assert.equal((await fixture.readState())?.stopped_at, null);
  });
});
