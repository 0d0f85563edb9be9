import type { SharedFileParams } from '@hearth/contract/sharing.ts';
import { createLinkSigner, type SignedLinksOptions, type SignedQuery } from './linkSigner.ts';

/** Seconds for which a visitor's link works, unless the album is shared no longer. */
const validSeconds = 15 * 60;

/** Makes and checks the links of files that visitors of a shared album get. */
export interface SharedLinks {
  sign(target: SharedFileParams, now?: Date): string;
  /** Whether Hearth made this link and it has not expired. Whether the album is still shared and still shows the item, the database knows. */
  verify(target: SharedFileParams, query: SignedQuery, now?: Date): boolean;
}

/**
 * The signature covers every value of a link. A link names a rendition of an item and never an object, so that none leads to an original.
 * Links lead to the API even if the object store has a public address: the store would serve them after the album is no longer shared.
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
      // Hearth never signs a link that works for longer; somebody who has learnt an earlier key could.
      return leftSeconds > 0 && leftSeconds <= validSeconds && signer.isRight(wordsOf(target, expires), key, signature);
    },
  };
};

/** The path of a visitor's link. */
export const sharedFilePath = ({ shareId, mediaItemId, rendition }: SharedFileParams): string =>
  `/v1/sharing/${shareId}/files/${mediaItemId}/${rendition}`;

/** The first value names the kind of link; in `links.ts` the first value is the key of an object. */
const wordsOf = ({ shareId, mediaItemId, rendition }: SharedFileParams, expires: number) =>
  ['sharing', shareId, mediaItemId, rendition, expires] as const;
