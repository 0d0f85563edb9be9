import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyId } from './tokens.ts';

/** Milliseconds for which a link to the same file reads the same. */
const windowMs = 24 * 60 * 60 * 1_000;

/** What a link leads to. */
export interface LinkTarget {
  /** The object's key: the path of the link below `/v1/files/`. */
  readonly key: string;
  /** The content type that the answer carries. */
  readonly type: string;
  /** The name under which a browser would save it. */
  readonly filename?: string | undefined;
}

/** The query parameters of a link. */
export interface LinkQuery {
  readonly type: string;
  readonly filename?: string | undefined;
  /** Unix seconds. */
  readonly expires: number;
  /** The id of the key that signed it. */
  readonly key: string;
  readonly signature: string;
}

/** Makes and checks the links of files. */
export interface Links {
  sign(target: LinkTarget, now?: Date): string;
  /** Whether a link is ours, unchanged and in time: decided without the database, since a page of pictures asks often. */
  verify(key: string, query: LinkQuery, now?: Date): boolean;
}

/**
 * Links signed with HMAC-SHA-256 over everything that they say. All links made within one window of 24 hours of UTC are
 * identical, so that a browser finds the picture in its cache; they end 48 hours after the window began. They begin with
 * `baseUrl`, which may be empty: then they are paths on the host that was asked.
 */
export const createLinks = (secret: string, baseUrl: string): Links => {
  const id = keyId(secret);
  const signatureOf = (key: string, query: Omit<LinkQuery, 'signature'>): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([key, query.type, query.filename ?? null, query.expires, query.key]))
      .digest();
  return {
    sign: ({ key, type, filename }, now = new Date()) => {
      const expires = ((Math.floor(now.getTime() / windowMs) + 2) * windowMs) / 1_000;
      const query = { type, filename, expires, key: id };
      const parameters = new URLSearchParams({
        type,
        ...(filename !== undefined && { filename }),
        expires: String(expires),
        key: id,
        signature: signatureOf(key, query).toString('base64url'),
      });
      return `${baseUrl}/v1/files/${key}?${parameters.toString()}`;
    },
    verify: (key, query, now = new Date()) => {
      const expected = signatureOf(key, query);
      const given = Buffer.from(query.signature, 'base64url');
      return (
        query.key === id &&
        query.expires * 1_000 > now.getTime() &&
        given.length === expected.length &&
        timingSafeEqual(given, expected)
      );
    },
  };
};
