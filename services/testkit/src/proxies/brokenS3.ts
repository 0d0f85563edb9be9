import type { Respond } from '../servers/fileServer.ts';

const answer =
  (body: string, { status = '200 OK', headers = [] as readonly string[] } = {}): Respond =>
  (socket) => {
    const lines = [`HTTP/1.1 ${status}`, 'Content-Type: application/xml', `Content-Length: ${body.length}`, ...headers];
    socket.end(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  };

const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${'a'.repeat(1_000)}">${Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY ${'abcdefghij'[n + 1]} "${`&${'abcdefghij'[n]};`.repeat(10)}">`,
).join('')}]>`;
const listing = (inner: string): string => `<ListBucketResult>${inner}</ListBucketResult>`;
const listed = (size: string, key = 'u/m/a'): string =>
  listing(
    `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>2026-11-27T10:00:00Z</LastModified></Contents>`,
  );

/** Responses invalid for all S3 requests: wrong XML, wrong values and wrong lengths. */
export const brokenS3: Readonly<Record<string, Respond>> = {
  'an empty body': answer(''),
  'a web page': answer('<!doctype html><html><body>Sign in</body></html>'),
  'no XML': answer('\0\x01<<<&&&'),
  JSON: answer('{"Contents":[]}'),
  'a wrong root': answer('<Result><UploadId>7</UploadId></Result>'),
  'an empty root': answer('<InitiateMultipartUploadResult/>'),
  'truncated XML': answer('<ListBucketResult><Contents><Key>u/m'),
  '1 MB of nested elements': answer('<a>'.repeat(200_000) + '</a>'.repeat(100_000)),
  'nested elements in a listing': answer(listing('<Contents>'.repeat(50_000) + '</Contents>'.repeat(50_000))),
  'elements without an end in a listing': answer(listing('<Contents>'.repeat(100_000))),
  'an entity bomb': answer(`${bomb}<ListBucketResult><Contents><Key>&j;</Key></Contents></ListBucketResult>`),
  'a character that does not exist': answer(listed('1', '&#x7fffffff;')),
  'a size that is no number': answer(listed('many')),
  'a negative size': answer(listed('-1')),
  'an endless size': answer(listed('1e400')),
  'no size': answer(listed('')),
  'a date that is none': answer(
    listing('<Contents><Key>u/m/a</Key><Size>1</Size><LastModified>soon</LastModified></Contents>'),
  ),
  'a listing without an end': answer(listing('<IsTruncated>true</IsTruncated>')),
  'an error without a code': answer('<Error/>', { status: '500 Oops' }),
  'an error of nested elements': answer('<Error>'.repeat(50_000), { status: '400 Bad Request' }),
  'an error with an entity bomb': answer(`${bomb}<Error><Code>&j;</Code></Error>`, { status: '403 Forbidden' }),
  'an error that is JSON': answer('{"code":"NoSuchKey"}', { status: '404 Not Found' }),
  'an error without a body': answer('', { status: '503 Busy' }),
  'a redirect': answer('', { status: '307 Moved', headers: ['Location: http://127.0.0.1:1/'] }),
  'fewer bytes than its length': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<ListBucketResult>'),
  'more bytes than its length': (socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n${listed('1')}`),
  'a length that is no number': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n'),
  'no length': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
};
