import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createTestBucket, startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

test(
  'direct links point to the S3 store if enabled, are identical on every replica and expire within an hour',
  { skip: missingTool('versitygw') },
  async () => {
    const s3 = await startTestS3();
    const { settings } = await createTestBucket(s3);
    const publicUrl = s3.endpoint.replace('127.0.0.1', 'localhost');
    const config = {
      s3Endpoint: settings.endpoint,
      s3Bucket: settings.bucket,
      s3AccessKey: settings.accessKey,
      s3SecretKey: settings.secretKey,
      s3PublicUrl: publicUrl,
      s3DirectLinks: true,
    };
    const api = await startTestApi({ config });
    const replica = await startTestApi({ sharedWith: api });
    const indirect = await startTestApi({ sharedWith: api, config: { s3DirectLinks: false } });
    after(async () => {
      await indirect.stop();
      await replica.stop();
      await api.stop();
      await s3.stop();
    });
    const user = await api.signUp();
    const bytes = randomBytes(1_000);
    const { id } = await buildMediaItem(api.deps.db, user.id, { filename: `it's.jpg`, size_bytes: bytes.length });
    await api.deps.objects.put(originalKey(user.id, id), Readable.from([bytes]));

    const { headers, body } = await user.call('getMediaItem', { params: { id } });
    const { sourceUrl } = body;
    assert.ok(sourceUrl.startsWith(`${publicUrl}/${settings.bucket}/${user.id}/${id}/original?`), sourceUrl);
    const { searchParams } = new URL(sourceUrl);
    assert.equal(searchParams.get('X-Amz-Expires'), '3600');
    const response = await fetch(sourceUrl);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-disposition'), `inline; filename*=UTF-8''it%27s.jpg`);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    // Hearth's pages may load files from the store.
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of ['img-src', 'media-src']) {
      assert.match(policy, new RegExp(`${directive} 'self'[^;]* ${publicUrl}(;|$)`));
    }

    const authorization = `Bearer ${user.token}`;
    const other = await fetch(`${replica.url}/v1/mediaItems/${id}`, { headers: { authorization } });
    assert.equal(((await other.json()) as { sourceUrl: string }).sourceUrl, sourceUrl);
    assert.equal((await fetch(sourceUrl.replace('original', 'preview-1.jpg'))).status, 403);

    const served = await fetch(`${indirect.url}/v1/mediaItems/${id}`, { headers: { authorization } });
    assert.match(((await served.json()) as { sourceUrl: string }).sourceUrl, /^\/v1\/files\//);
    assert.doesNotMatch(served.headers.get('content-security-policy') ?? '', /localhost/);
  },
);
