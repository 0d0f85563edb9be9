import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { Upload, type UploadOptions } from 'tus-js-client';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

/* Tests with a third-party client, as used by programs and web pages. */
const api = await startTestApi();
const replica = await startTestApi({ sharedWith: api });
after(async () => {
  await replica.stop();
  await api.stop();
});
const user = await api.signUp();

/** Uploads a file and returns the item's id. */
const upload = async (file: Buffer, options: Partial<UploadOptions>): Promise<string> =>
  new Promise((resolve, reject) => {
    let mediaItemId: string | undefined;
    new Upload(file, {
      endpoint: `${api.url}/v1/uploads`,
      headers: { Authorization: `Bearer ${user.token}` },
      metadata: { filename: 'Ferien.jpg', filetype: 'image/jpeg' },
      retryDelays: Array.from({ length: 20 }, () => 50),
      ...options,
      onAfterResponse: (_request, response) => {
        mediaItemId = response.getHeader('Hearth-Media-Item-Id') ?? mediaItemId;
      },
      onError: reject,
      onSuccess: () =>
        mediaItemId === undefined ? reject(new Error('no response has named the item')) : resolve(mediaItemId),
    }).start();
  });

const assertIsFile = async (mediaItemId: string, file: Buffer): Promise<void> => {
  const item = (await user.call('getMediaItem', { params: { id: mediaItemId } })).body;
  assert.equal(item.filename, 'Ferien.jpg');
  assert.ok((await fetchLink(api.url, item.sourceUrl)).bytes.equals(file));
};

for (const [how, options] of [
  ['in one request', {}],
  ['in chunks', { chunkSize: 3_000_000 }],
  ['with the first bytes in the creation request', { uploadDataDuringCreation: true, chunkSize: 5_000_000 }],
  ['with all bytes in the creation request', { uploadDataDuringCreation: true }],
  ['with POST requests only', { overridePatchMethod: true }],
] as const) {
  test(`tus-js-client uploads a file ${how}`, async () => {
    const file = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, 18_000_000)]);
    await assertIsFile(await upload(file, options), file);
  });
}

test('tus-js-client resumes after three lost connections, each time on another replica', async () => {
  const file = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, 40_000_000)]);
  const proxy = await startTcpProxy();
  const endpoint = `${proxy.setTarget(api.url)}v1/uploads`;
  const cutsAt = [4_000_000, 17_000_000, 30_000_000];
  let cuts = 0;
  const cut = async (): Promise<void> => {
    cuts += 1;
    await proxy.cut();
    proxy.setTarget(cuts % 2 === 1 ? replica.url : api.url);
    await proxy.open();
  };
  const onProgress = (sentBytes: number): void => {
    if (sentBytes >= cutsAt[cuts]!) void cut();
  };
  await assertIsFile(await upload(file, { endpoint, onProgress }), file);
  assert.equal(cuts, 3);
  await proxy.cut();
});

test('tus-js-client deletes an upload that the user cancels', async () => {
  const file = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, 40_000_000)]);
  const started = Promise.withResolvers<void>();
  const cancelled = new Upload(file, {
    endpoint: `${api.url}/v1/uploads`,
    headers: { Authorization: `Bearer ${user.token}` },
    onProgress: (sentBytes) => {
      if (sentBytes > 10_000_000) started.resolve();
    },
    onError: started.reject,
  });
  cancelled.start();
  await started.promise;
  await cancelled.abort(true);
  const left = api.deps.db.selectFrom('uploads').select('id').where('media_item_id', 'is', null);
  assert.deepEqual(await left.execute(), []);
});
