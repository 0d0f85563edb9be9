import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { contentDisposition } from './contentDisposition.ts';
import { keyId } from './tokens.ts';

/** Milliseconds for which a link to the same file reads the same, and for which it works from the begin of that time on. */
const windowMs = 24 * 60 * 60 * 1_000;
const validMs = 2 * windowMs;

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

export interface LinksOptions {
  /** Signs new links. */
  readonly secret: string;
  /** Earlier values of it, whose links work until they end. */
  readonly previous: readonly string[];
  /** What links begin with; where it is empty, they are paths on the host that was asked. */
  readonly baseUrl: string;
  /** Where it has a public address, links lead there and are checked there. */
  readonly objects: Pick<ObjectStore, 'link'>;
}

/**
 * Links signed over everything that they say, with HMAC-SHA-256 where they lead to us. All links made within one window of 24 hours of
 * UTC are identical, in every process, so that a browser finds the picture in its cache; they end 48 hours after the window began.
 */
export const createLinks = ({ secret, previous, baseUrl, objects }: LinksOptions): Links => {
  const id = keyId(secret);
  const secrets = new Map([...previous, secret].map((each) => [keyId(each), each]));
  return {
    sign: ({ key, type, filename }, now = new Date()) => {
      const signedAt = new Date(Math.floor(now.getTime() / windowMs) * windowMs);
      const direct = objects.link({
        key,
        contentType: type,
        contentDisposition: contentDisposition(filename),
        signedAt,
        validSeconds: validMs / 1_000,
      });
      if (direct !== undefined) return direct;
      const query = { type, filename, expires: (signedAt.getTime() + validMs) / 1_000, key: id };
      const parameters = new URLSearchParams({
        type,
        ...(filename !== undefined && { filename }),
        expires: String(query.expires),
        key: id,
        signature: signatureOf(secret, key, query).toString('base64url'),
      });
      return `${baseUrl}/v1/files/${key}?${parameters.toString()}`;
    },
    verify: (key, query, now = new Date()) => {
      const signer = secrets.get(query.key);
      const leftMs = query.expires * 1_000 - now.getTime();
      // None that we made works for longer, whoever has learnt an earlier key.
      if (signer === undefined || leftMs <= 0 || leftMs > validMs) return false;
      // As text: base64url writes the same bytes in several ways.
      const expected = Buffer.from(signatureOf(signer, key, query).toString('base64url'));
      const given = Buffer.from(query.signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};

const signatureOf = (secret: string, key: string, query: Omit<LinkQuery, 'signature'>): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([key, query.type, query.filename ?? null, query.expires, query.key]))
    .digest();
