import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { contentDisposition } from './filenames.ts';
import { createLinkSigner, type SignedLinksOptions, type SignedQuery } from './linkSigner.ts';

/** Milliseconds for which all links to one file are identical, and for which a link works, counted from the beginning of its window. */
const windowMs = 24 * 60 * 60 * 1_000;
export const validMs = 2 * windowMs;

/** When a link that is made now expires, in seconds since 1970. */
export const linkExpiry = (now: Date): number => (beginOfWindow(now).getTime() + validMs) / 1_000;

/** Window and validity of direct links to the store, which no epoch ends. */
const directWindowMs = 30 * 60 * 1_000;
const directValidSeconds = 60 * 60;

const beginOfWindow = (now: Date, ms = windowMs): Date => new Date(Math.floor(now.getTime() / ms) * ms);

/** The `Cache-Control` of a file: a browser may keep it until its link expires. An object never changes under its key. */
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
  /** Part of every link that Hearth signs. */
  readonly epoch?: number | undefined;
}

/** Makes and checks the links of files. */
export interface Links {
  /** Signs links for a user, which end with this epoch of the user. */
  forUser(user: { readonly linkEpoch: number }, now?: Date): UserLinks;
  /** True if Hearth made this link and it has not expired. Does not read the database: `LinkStates` checks the epoch. */
  verify(key: string, query: LinkQuery, now?: Date): boolean;
}

/** Makes the links of one user. */
export interface UserLinks {
  sign(target: LinkTarget): string;
}

export interface LinksOptions extends SignedLinksOptions {
  /** If the store makes links, they lead to the store, and the store checks them. */
  readonly objects: Pick<ObjectStore, 'link'>;
}

/**
 * The signature covers every value of a link. All processes make identical links within one window of 24 hours (UTC) and one epoch of the user, so
 * that a browser finds the picture in its cache. A link expires 48 hours after its window began. Links that lead to the store have no epoch; they are
 * identical for half an hour and expire an hour after it began.
 */
export const createLinks = ({ baseUrl, objects, ...options }: LinksOptions): Links => {
  const signer = createLinkSigner(options);
  return {
    forUser: ({ linkEpoch: epoch }, now = new Date()) => {
      const signedAt = beginOfWindow(now, directWindowMs);
      const expires = linkExpiry(now);
      return {
        sign: ({ key, type, filename }) => {
          const direct = objects.link({
            key,
            contentType: type,
            contentDisposition: contentDisposition(filename),
            signedAt,
            validSeconds: directValidSeconds,
          });
          if (direct !== undefined) return direct;
          const signature = signer.sign(wordsOf(key, { type, filename, epoch, expires }));
          // Not by URLSearchParams, which takes as long as the signature: a page has dozens of links.
          const named = filename === undefined ? '' : `&filename=${encodeURIComponent(filename)}`;
          return `${baseUrl}/v1/files/${key}?type=${encodeURIComponent(type)}${named}&epoch=${epoch}&expires=${expires}&key=${signer.key}&signature=${signature}`;
        },
      };
    },
    verify: (key, query, now = new Date()) => {
      const leftMs = query.expires * 1_000 - now.getTime();
      // Hearth never signs a link that works for longer; somebody who has learnt an earlier key could.
      return leftMs > 0 && leftMs <= validMs && signer.isRight(wordsOf(key, query), query.key, query.signature);
    },
  };
};

const wordsOf = (
  key: string,
  { type, filename, epoch, expires }: Pick<LinkQuery, 'type' | 'filename' | 'epoch' | 'expires'>,
) => [key, type, filename ?? null, epoch ?? null, expires] as const;
