import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { createLog } from '../../log/log.ts';
import { brokenS3 } from '@hearth/testkit/proxies/brokenS3.ts';
import { startFileServer } from '@hearth/testkit/servers/fileServer.ts';
import { toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { openS3Store } from './s3Store.ts';

const key = 'u/m/a';
const tomorrow = new Date(Date.now() + 86_400_000);

suite('no S3 request succeeds, and none crashes the process, if the response is', () => {
  for (const [what, respond] of Object.entries(brokenS3))
    test(what, async (t) => {
      const server = await startFileServer(
        () => Buffer.alloc(0),
        () => respond,
      );
      t.after(server.close);
      const settings = { region: 'us-east-1', bucket: 'hearth', accessKey: 'a', secretKey: 'b' };
      const store = openS3Store(
        { ...settings, endpoint: server.url, publicUrl: undefined, capacityBytes: undefined },
        createLog('test', 'silent'),
      );
      const requests = {
        put: store.put(key, toStream(makeTestBytes(1, 100))),
        beginParts: store.beginParts(key),
        putPart: store.putPart(key, 'id', { number: 1, offset: 0 }, makeTestBytes(1, 100)),
        finishParts: store.finishParts(key, 'id', [{ number: 1, tag: 'tag' }]),
        range: store.open(key, { first: 0, last: 9 }).then(buffer),
        remove: store.remove([key]),
        list: Array.fromAsync(store.list('')),
        removeUnfinished: store.removeUnfinished(tomorrow),
        capacity: store.capacity(),
      };
      const results = await Promise.allSettled(Object.values(requests));
      const names = Object.keys(requests).filter((_, index) => results[index]?.status === 'fulfilled');
      assert.deepEqual(names, []);
    });
});
