import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { startS3Proxy } from '@hearth/testkit/proxies/s3Proxy.ts';
import { createTestBucket, startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

test(
  'checking many checksums sends no request to S3, and checking a few looks up each original',
  { skip: missingTool('versitygw') },
  async (t) => {
    const s3 = await startTestS3();
    const { settings } = await createTestBucket(s3);
    let requests = 0;
    const endpoint = await startS3Proxy(t, s3.endpoint, () => {
      requests += 1;
      return undefined;
    });
    const config = {
      s3Endpoint: endpoint,
      s3Bucket: settings.bucket,
      s3AccessKey: settings.accessKey,
      s3SecretKey: settings.secretKey,
    };
    const api = await startTestApi({ config });
    after(async () => {
      await api.stop();
      await s3.stop();
    });
    await takeOverStore(api.deps.objects, api.deps.db);
    const user = await api.signUp();
    const unknown = Array.from({ length: 960 }, () => randomBytes(32).toString('hex'));
    const checksums: string[] = [];
    for (let i = 0; i < 40; i++) checksums.push((await buildMediaItem(api.deps.db, user.id)).checksum.toString('hex'));
    const check = async (requested: readonly string[]) => {
      requests = 0;
      const { existing } = (await user.call('checkMediaItems', { body: { checksums: requested } })).body;
      return { requests, existing: Object.keys(existing).length };
    };

    assert.deepEqual(await check([...checksums, ...unknown]), { requests: 0, existing: 40 });
    // The store has none of the originals. Each costs two HEAD requests: the second one distinguishes a missing object
    // from a missing bucket. The last request reads the library marker.
    assert.deepEqual(await check(checksums.slice(0, 20)), { requests: 41, existing: 0 });
    assert.deepEqual(
      await check([...checksums, ...unknown]),
      { requests: 0, existing: 20 },
      'missing originals are recorded',
    );
  },
);
