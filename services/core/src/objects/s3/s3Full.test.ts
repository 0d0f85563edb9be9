import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createLog } from '../../log/log.ts';
import { isNoSpace, StoreError, StoreFullError } from '../objectErrors.ts';
import { openS3Store } from './s3Store.ts';
import { toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

/** Responses of full services according to their documentation. The test servers cannot be filled in this way. */
const full = [
  [507, 'XMinioStorageFull', 'Storage backend has reached its minimum free drive threshold'],
  [400, 'XMinioAdminBucketQuotaExceeded', 'Bucket quota exceeded'],
  [403, 'QuotaExceeded', ''],
  [507, '', ''],
] as const;

for (const [status, code, message] of full) {
  test(`throws StoreFullError for a response ${status} ${code}`, async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const isAccepted = request.method !== 'PUT' && request.method !== 'POST';
        response.writeHead(isAccepted ? 204 : status, { 'Content-Type': 'application/xml' });
        response.end(
          isAccepted ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
        );
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = { endpoint, region: 'us-east-1', bucket: 'hearth', accessKey: 'a', secretKey: 'b' };
    const store = openS3Store(
      { ...settings, publicUrl: undefined, capacityBytes: undefined },
      createLog('test', 'error'),
    );
    for (const bytes of [1_000, 20 * 2 ** 20]) {
      await assert.rejects(store.put('u/m/a', toStream(makeTestBytes(1, bytes))), (error) => {
        assert.ok(error instanceof StoreFullError && error instanceof StoreError && isNoSpace(error), String(error));
        return true;
      });
    }
    await assert.rejects(store.beginParts('u/m/a'), StoreFullError);
    server.closeAllConnections();
    server.close();
  });
}
