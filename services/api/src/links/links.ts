import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { contentDisposition } from '../filenames/contentDisposition.ts';
import { createLinkSigner, type SignedLinksOptions, type SignedQuery } from '../signing/linkSigner.ts';

/** Milliseconds for which a link to the same file reads the same, and for which it works from the begin of that time on. */
const windowMs = 24 * 60 * 60 * 1_000;
export const validMs = 2 * windowMs;

/** Until when links work that are made now, in seconds since 1970. */
export const linkExpiry = (now: Date): number => (beginOfWindow(now).getTime() + validMs) / 1_000;

const beginOfWindow = (now: Date): Date => new Date(Math.floor(now.getTime() / windowMs) * windowMs);

/** How long a browser may keep what a link opens. An object never changes under its key, but nobody has a right to what a link no longer opens. */
export const keepUntil = (expires: number): string =>
  `private, max-age=${Math.max(0, expires - Math.ceil(Date.now() / 1_000))}, immutable`;

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
export interface LinkQuery extends SignedQuery {
  readonly type: string;
  readonly filename?: string | undefined;
}

/** Makes and checks the links of files. */
export interface Links {
  sign(target: LinkTarget, now?: Date): string;
  /** Whether a link is ours, unchanged and in time: decided without the database, since a page of pictures asks often. */
  verify(key: string, query: LinkQuery, now?: Date): boolean;
}

export interface LinksOptions extends SignedLinksOptions {
  /** Where it has a public address, links lead there and are checked there. */
  readonly objects: Pick<ObjectStore, 'link'>;
}

/**
 * Links signed over everything that they say. All links made within one window of 24 hours of
 * UTC are identical, in every process, so that a browser finds the picture in its cache; they end 48 hours after the window began.
 */
export const createLinks = ({ baseUrl, objects, ...options }: LinksOptions): Links => {
  const signer = createLinkSigner(options);
  return {
    sign: ({ key, type, filename }, now = new Date()) => {
      const signedAt = beginOfWindow(now);
      const direct = objects.link({
        key,
        contentType: type,
        contentDisposition: contentDisposition(filename),
        signedAt,
        validSeconds: validMs / 1_000,
      });
      if (direct !== undefined) return direct;
      const expires = linkExpiry(now);
      const signature = signer.sign(wordsOf(key, { type, filename, expires }));
      // By hand, since a page holds dozens of links, and URLSearchParams takes as long as to sign them.
      const named = filename === undefined ? '' : `&filename=${encodeURIComponent(filename)}`;
      return `${baseUrl}/v1/files/${key}?type=${encodeURIComponent(type)}${named}&expires=${expires}&key=${signer.key}&signature=${signature}`;
    },
    verify: (key, query, now = new Date()) => {
      const leftMs = query.expires * 1_000 - now.getTime();
      // None that we made works for longer, whoever has learnt an earlier key.
      return leftMs > 0 && leftMs <= validMs && signer.isRight(wordsOf(key, query), query.key, query.signature);
    },
  };
};

const wordsOf = (key: string, { type, filename, expires }: Pick<LinkQuery, 'type' | 'filename' | 'expires'>) =>
  [key, type, filename ?? null, expires] as const;
