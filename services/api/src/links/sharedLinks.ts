import type { SharedFileParams } from '@hearth/contract/sharing.ts';
import { createLinkSigner, type SignedLinksOptions, type SignedQuery } from '../signing/linkSigner.ts';

/** Seconds for which a visitor's link works, unless the album is shared no longer. */
const validSeconds = 15 * 60;

/** Makes and checks the links of files that visitors of a shared album get. */
export interface SharedLinks {
  sign(target: SharedFileParams, now?: Date): string;
  /** Whether a link is ours, unchanged and in time. That the album is still shared, and the item shown in it, is for the database to say. */
  verify(target: SharedFileParams, query: SignedQuery, now?: Date): boolean;
}

/**
 * Links signed over everything that they say. They name a version of an item and no object, so that nothing leads to an original, and they
 * lead to us also where the object store has a public address: a link to there would go on working when the album is shared no longer.
 */
export const createSharedLinks = ({ baseUrl, ...options }: SignedLinksOptions): SharedLinks => {
  const signer = createLinkSigner(options);
  return {
    sign: (target, now = new Date()) => {
      const expires = Math.floor(now.getTime() / 1_000) + validSeconds;
      const signature = signer.sign(wordsOf(target, expires));
      const query = new URLSearchParams({ expires: String(expires), key: signer.key, signature });
      return `${baseUrl}${sharedFilePath(target)}?${query.toString()}`;
    },
    verify: (target, { expires, key, signature }, now = new Date()) => {
      const leftSeconds = expires - now.getTime() / 1_000;
      // None that we made works for longer, whoever has learnt an earlier key.
      return leftSeconds > 0 && leftSeconds <= validSeconds && signer.isRight(wordsOf(target, expires), key, signature);
    },
  };
};

/** Where a visitor's link leads. */
export const sharedFilePath = ({ albumId, mediaItemId, rendition }: SharedFileParams): string =>
  `/v1/sharing/${albumId}/files/${mediaItemId}/${rendition}`;

/** The first word sets it apart from a link of `links.ts`, whose first is the key of an object. */
const wordsOf = ({ albumId, mediaItemId, rendition }: SharedFileParams, expires: number) =>
  ['sharing', albumId, mediaItemId, rendition, expires] as const;
