import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createLog } from '../../log/log.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { StoreError } from '../objectErrors.ts';
import { openS3Store } from './s3Store.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';
import { toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

const MiB = 2 ** 20;

/** Starts a proxy that drops responses for which `isLost` returns true, after the store has executed the request. */
const startLossyProxy = async (
  t: TestContext,
  endpoint: string,
  isLost: (incoming: IncomingMessage) => boolean,
): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const forwarded = request(new URL(url!, endpoint), { method, headers }, (response) => {
      if (isLost(incoming)) response.resume().on('end', () => incoming.socket.destroy());
      else response.pipe(outgoing.writeHead(response.statusCode!, response.headers));
    });
    incoming.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const isUploadStart = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url!.endsWith('?uploads');

test(
  'finds and removes an upload whose start the store executed but whose response was lost',
  { skip: missingTool('versitygw') },
  async (t) => {
    const s3 = await startTestS3();
    t.after(() => s3.stop());
    const testBucket = await makeBucket(s3);
    const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
    const endpoint = await startLossyProxy(t, s3.endpoint, isUploadStart);
    const store = openS3Store({ ...testBucket.settings, endpoint }, createLog('test', 'error'));
    await assert.rejects(store.put('u/m/a', toStream(makeTestBytes(1, 9 * MiB))), StoreError);
    await assert.rejects(store.beginParts('u/m/b'), StoreError);
    await s3.restart();
    const kept = await testBucket.store.beginParts('u/m/b');
    const countUnfinished = async (): Promise<number> =>
      (await listBucket(s3, testBucket.settings.bucket)).filter((name) => name.startsWith('unfinished upload')).length;
    // A request with a broken connection is sent again, so each of the two uploads may exist twice.
    const lost = (await countUnfinished()) - 1;
    assert.ok(lost >= 2, `${lost} lost`);

    assert.equal(await testBucket.store.removeUnfinished(new Date(Date.now() - 60 * 60 * 1000)), 0);
    assert.equal(await testBucket.store.removeUnfinished(tomorrow, new Set([kept])), lost);
    assert.equal(await countUnfinished(), 1);
    await testBucket.store.abandonParts('u/m/b', kept);
    assert.equal(await countUnfinished(), 0);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
  },
);
