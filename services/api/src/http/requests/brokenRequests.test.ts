import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ErrorCode } from '@hearth/contract/errors.ts';
import { checkError } from '@hearth/testkit/api/responseChecker.ts';
import { exchange, openSocket, readResponses } from '@hearth/testkit/api/rawExchange.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
after(() => api.stop());

const rest = 'Host: localhost\r\nConnection: close\r\n\r\n';

/** Security headers of a response. */
const getSecurityHeaders = (headers: Headers) =>
  ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'].map((name) => {
    assert.notEqual(headers.get(name)?.trim() ?? '', '', name);
    return headers.get(name)?.trim();
  });

/** Unparsable requests and their error codes. */
const broken: readonly [string, string | Buffer, ErrorCode][] = [
  ['no HTTP at all', 'good morning\r\n\r\n', 'MALFORMED_REQUEST'],
  ['a TLS handshake', Buffer.from('160301020001000001fc0303', 'hex'), 'MALFORMED_REQUEST'],
  ['an unknown method', `FETCH /version HTTP/1.1\r\n${rest}`, 'MALFORMED_REQUEST'],
  ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'MALFORMED_REQUEST'],
  ['an unknown HTTP version', `GET /version HTTP/9.9\r\n${rest}`, 'MALFORMED_REQUEST'],
  ['a header without a colon', `GET /version HTTP/1.1\r\nnonsense\r\n${rest}`, 'MALFORMED_REQUEST'],
  ['a NUL in a header', `GET /version HTTP/1.1\r\nA: \0\r\n${rest}`, 'MALFORMED_REQUEST'],
  ['no host', 'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n', 'MALFORMED_REQUEST'],
  [
    'a length that is not a number',
    `POST /v1/auth/login HTTP/1.1\r\nContent-Length: x\r\n${rest}`,
    'MALFORMED_REQUEST',
  ],
  [
    'two conflicting lengths',
    `POST /v1/auth/login HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${rest}0\r\n\r\n`,
    'MALFORMED_REQUEST',
  ],
  ['headers of 20 KB', `GET /version HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n${rest}`, 'PAYLOAD_TOO_LARGE'],
  ['an address of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${rest}`, 'PAYLOAD_TOO_LARGE'],
];

for (const [name, bytes, code] of broken) {
  test(`responds once and in the documented shape to ${name}`, async () => {
    const responses = await exchange(api.port, bytes);
    assert.equal(responses.length, 1);
    checkError(name, [code], responses[0]!);
    assert.deepEqual(
      getSecurityHeaders(responses[0]!.headers),
      getSecurityHeaders((await api.call('getVersion')).headers),
    );
  });
}

test('sends no second response for a broken chunk after the first', async () => {
  const socket = await openSocket(api.port);
  const responses = readResponses(socket);
  socket.write('POST /v1/nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
  await api.call('getVersion');
  socket.write('this is no chunk\r\n');
  assert.deepEqual(
    (await responses).map(({ status }) => status),
    [404],
  );
});

test('ignores an unknown expectation', async () => {
  const [response] = await exchange(api.port, `GET /version HTTP/1.1\r\nExpect: a miracle\r\n${rest}`);
  assert.equal(response?.status, 200);
});

for (const target of [
  '*',
  'http://[/v1/mediaItems',
  'http:///version',
  'a:b@[c',
  'version',
  '//version',
  '/\\version',
  '/%2e%2e/version',
  '/version/../x',
]) {
  test(`returns 404 in the documented shape for the target ${target}`, async () => {
    const [response, ...more] = await exchange(api.port, `OPTIONS ${target} HTTP/1.1\r\n${rest}`);
    assert.equal(more.length, 0);
    checkError(target, ['NOT_FOUND', 'MALFORMED_REQUEST', 'METHOD_NOT_ALLOWED'], response!);
  });
}
