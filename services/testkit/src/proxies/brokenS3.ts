import type { Respond } from '../servers/fileServer.ts';

const makeResponse =
  (body: string, { status = '200 OK', headers = [] as readonly string[] } = {}): Respond =>
  (socket) => {
    const lines = [`HTTP/1.1 ${status}`, 'Content-Type: application/xml', `Content-Length: ${body.length}`, ...headers];
    socket.end(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  };

const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${'a'.repeat(1_000)}">${Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY ${'abcdefghij'[n + 1]} "${`&${'abcdefghij'[n]};`.repeat(10)}">`,
).join('')}]>`;
const makeListing = (inner: string): string => `<ListBucketResult>${inner}</ListBucketResult>`;
const makeListedObject = (size: string, key = 'u/m/a'): string =>
  makeListing(
    `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>2026-11-27T10:00:00Z</LastModified></Contents>`,
  );

/** Responses invalid for all S3 requests: wrong XML, wrong values and wrong lengths. */
export const brokenS3: Readonly<Record<string, Respond>> = {
  'an empty body': makeResponse(''),
  'a web page': makeResponse('<!doctype html><html><body>Sign in</body></html>'),
  'no XML': makeResponse('\0\x01<<<&&&'),
  JSON: makeResponse('{"Contents":[]}'),
  'a wrong root': makeResponse('<Result><UploadId>7</UploadId></Result>'),
  'an empty root': makeResponse('<InitiateMultipartUploadResult/>'),
  'truncated XML': makeResponse('<ListBucketResult><Contents><Key>u/m'),
  '1 MB of nested elements': makeResponse('<a>'.repeat(200_000) + '</a>'.repeat(100_000)),
  'nested elements in a listing': makeResponse(makeListing('<Contents>'.repeat(50_000) + '</Contents>'.repeat(50_000))),
  'elements without an end in a listing': makeResponse(makeListing('<Contents>'.repeat(100_000))),
  'an entity bomb': makeResponse(`${bomb}<ListBucketResult><Contents><Key>&j;</Key></Contents></ListBucketResult>`),
  'a character that does not exist': makeResponse(makeListedObject('1', '&#x7fffffff;')),
  'a size that is no number': makeResponse(makeListedObject('many')),
  'a negative size': makeResponse(makeListedObject('-1')),
  'an endless size': makeResponse(makeListedObject('1e400')),
  'no size': makeResponse(makeListedObject('')),
  'an invalid date': makeResponse(
    makeListing('<Contents><Key>u/m/a</Key><Size>1</Size><LastModified>soon</LastModified></Contents>'),
  ),
  'a listing without an end': makeResponse(makeListing('<IsTruncated>true</IsTruncated>')),
  'an error without a code': makeResponse('<Error/>', { status: '500 Oops' }),
  'an error of nested elements': makeResponse('<Error>'.repeat(50_000), { status: '400 Bad Request' }),
  'an error with an entity bomb': makeResponse(`${bomb}<Error><Code>&j;</Code></Error>`, { status: '403 Forbidden' }),
  'an error that is JSON': makeResponse('{"code":"NoSuchKey"}', { status: '404 Not Found' }),
  'an error without a body': makeResponse('', { status: '503 Busy' }),
  'a redirect': makeResponse('', { status: '307 Moved', headers: ['Location: http://127.0.0.1:1/'] }),
  'fewer bytes than its length': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<ListBucketResult>'),
  'more bytes than its length': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n${makeListedObject('1')}`),
  'a length that is no number': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n'),
  'no length': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
};
