import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { contentDisposition } from './filenames.ts';
import { createLinkSigner, type SignedLinksOptions, type SignedQuery } from './linkSigner.ts';

/** Window length in ms. Links to a file are identical within a window, and expire two windows after its start. */
const windowMs = 24 * 60 * 60 * 1_000;
export const validMs = 2 * windowMs;

/** Returns the expiry of a link created now, in Unix seconds. */
export const getLinkExpiry = (now: Date): number => (getWindowStart(now).getTime() + validMs) / 1_000;

/** Window and validity of direct links to the store, which cannot be revoked by epoch. */
const directWindowMs = 30 * 60 * 1_000;
const directValidSeconds = 60 * 60;

const getWindowStart = (now: Date, ms = windowMs): Date => new Date(Math.floor(now.getTime() / ms) * ms);

/**
 * Returns `Cache-Control` for a file: a browser may cache it until its link expires. The object of a key never changes.
 */
export const createCacheControl = (expires: number): string =>
  `private, max-age=${Math.max(0, expires - Math.ceil(Date.now() / 1_000))}, immutable`;

/** Target of a link. */
export interface LinkTarget {
  /** Object key, which is the link's path below `/v1/files/`. */
  readonly key: string;
  /** Content type of the response. */
  readonly type: string;
  /** File name that a browser saves. */
  readonly filename?: string | undefined;
}

export interface LinkQuery extends SignedQuery {
  readonly type: string;
  readonly filename?: string | undefined;
  /** Present in every link that Hearth signs. */
  readonly epoch?: number | undefined;
}

/** Signs and verifies file links. */
export interface Links {
  /** Returns a signer for a user. Its links are valid for the user's current epoch. */
  forUser(user: { readonly linkEpoch: number }, now?: Date): UserLinks;
  /**
   * Returns true if Hearth signed this link and it has not expired. Does not check the epoch, which `LinkStates` does.
   */
  verify(key: string, query: LinkQuery, now?: Date): boolean;
}

export interface UserLinks {
  sign(target: LinkTarget): string;
}

export interface LinksOptions extends SignedLinksOptions {
  /** If the store creates direct links, these are used instead, and the store verifies them. */
  readonly objects: Pick<ObjectStore, 'link'>;
}

/**
 * Creates a signer whose signature covers every value of a link. All processes create identical links within a window
 * of 24 hours (UTC) and an epoch of the user, so that browsers can cache the file. A link expires 48 hours after the
 * start of its window. Direct links to the store have no epoch: they are identical for half an hour and expire after an
 * hour.
 */
export const createLinks = ({ baseUrl, objects, ...options }: LinksOptions): Links => {
  const signer = createLinkSigner(options);
  return {
    forUser: ({ linkEpoch: epoch }, now = new Date()) => {
      const signedAt = getWindowStart(now, directWindowMs);
      const expires = getLinkExpiry(now);
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
          const signature = signer.sign(listSignedValues(key, { type, filename, epoch, expires }));
          // Not URLSearchParams, which takes as long as the signature: a page has dozens of links.
          const named = filename === undefined ? '' : `&filename=${encodeURIComponent(filename)}`;
          return `${baseUrl}/v1/files/${key}?type=${encodeURIComponent(type)}${named}&epoch=${epoch}&expires=${expires}&key=${signer.key}&signature=${signature}`;
        },
      };
    },
    verify: (key, query, now = new Date()) => {
      const leftMs = query.expires * 1_000 - now.getTime();
      // A longer validity means that a leaked previous key was used: Hearth never signs such a link.
      return (
        leftMs > 0 && leftMs <= validMs && signer.isValid(listSignedValues(key, query), query.key, query.signature)
      );
    },
  };
};

const listSignedValues = (
  key: string,
  { type, filename, epoch, expires }: Pick<LinkQuery, 'type' | 'filename' | 'epoch' | 'expires'>,
) => [key, type, filename ?? null, epoch ?? null, expires] as const;
