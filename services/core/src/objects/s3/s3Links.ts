import { createHash, createHmac } from 'node:crypto';
import type { LinkedObject } from '../objects.ts';
import type { S3Settings } from '../../config/s3Settings.ts';

/**
 * Returns a function that creates presigned links (AWS Signature Version 4 in the query,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html). Equal objects result in equal links in
 * every process. Only the client may cache the response, until the link expires. `Expires` names that moment, whereas
 * `max-age` would count from each response.
 */
export const createS3Linker = (
  settings: S3Settings & { readonly publicUrl: string },
): ((object: LinkedObject) => string) => {
  const { host, origin } = new URL(settings.publicUrl);
  const getSigningKey = cacheLast((day: string) =>
    [day, settings.region, 's3', 'aws4_request'].reduce(
      (key: string | Buffer, text) => hmac(key, text),
      `AWS4${settings.secretKey}`,
    ),
  );
  return ({ key, contentType, contentDisposition, signedAt, validSeconds }) => {
    const time = `${signedAt.toISOString().slice(0, 19).replaceAll(/[:-]/g, '')}Z`;
    const day = time.slice(0, 8);
    const scope = `${day}/${settings.region}/s3/aws4_request`;
    const path = `/${settings.bucket}/${key.split('/').map(encode).join('/')}`;
    const query = [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', `${settings.accessKey}/${scope}`],
      ['X-Amz-Date', time],
      ['X-Amz-Expires', String(validSeconds)],
      ['X-Amz-SignedHeaders', 'host'],
      ['response-cache-control', 'private, immutable'],
      ['response-content-disposition', contentDisposition],
      ['response-content-type', contentType],
      ['response-expires', new Date(signedAt.getTime() + validSeconds * 1_000).toUTCString()],
    ]
      .map(([name = '', value = '']) => `${name}=${encode(value)}`)
      .join('&');
    const request = ['GET', path, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
    const requestHash = createHash('sha256').update(request).digest('hex');
    const signature = hmac(getSigningKey(day), ['AWS4-HMAC-SHA256', time, scope, requestHash].join('\n')).toString(
      'hex',
    );
    return `${origin}${path}?${query}&X-Amz-Signature=${signature}`;
  };
};

/** Encodes everything but `A-Z a-z 0-9 - . _ ~`, as Signature Version 4 requires. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Caches the last result: a page has hundreds of links with the same day. */
const cacheLast = <Result>(make: (input: string) => Result): ((input: string) => Result) => {
  let last: { readonly input: string; readonly result: Result } | undefined;
  return (input) => {
    if (last?.input !== input) last = { input, result: make(input) };
    return last.result;
  };
};
