import type { SharedFileParams } from '@hearth/contract/sharing.ts';
import { createLinkSigner, type SignedLinksOptions, type SignedQuery } from './linkSigner.ts';

/** Validity of a visitor's link, in seconds, unless sharing of the album ends earlier. */
const validSeconds = 15 * 60;

/** Signs and verifies file links for visitors of a shared album. */
export interface SharedLinks {
  sign(target: SharedFileParams, now?: Date): string;
  /**
   * Returns true if Hearth signed this link and it has not expired. Does not check that the album still shows the item.
   */
  verify(target: SharedFileParams, query: SignedQuery, now?: Date): boolean;
}

/**
 * The signature covers every value of a link. A link names a rendition of an item, never an object, so that none leads
 * to an original. Links always lead to the API: a store with a public URL would serve them even after sharing has
 * ended.
 */
export const createSharedLinks = ({ baseUrl, ...options }: SignedLinksOptions): SharedLinks => {
  const signer = createLinkSigner(options);
  return {
    sign: (target, now = new Date()) => {
      const expires = Math.floor(now.getTime() / 1_000) + validSeconds;
      const signature = signer.sign(listSignedValues(target, expires));
      const query = new URLSearchParams({ expires: String(expires), key: signer.key, signature });
      return `${baseUrl}${sharedFilePath(target)}?${query.toString()}`;
    },
    verify: (target, { expires, key, signature }, now = new Date()) => {
      const leftSeconds = expires - now.getTime() / 1_000;
      // A longer validity means that a leaked previous key was used: Hearth never signs such a link.
      return (
        leftSeconds > 0 &&
        leftSeconds <= validSeconds &&
        signer.isValid(listSignedValues(target, expires), key, signature)
      );
    },
  };
};

export const sharedFilePath = ({ shareId, mediaItemId, rendition }: SharedFileParams): string =>
  `/v1/sharing/${shareId}/files/${mediaItemId}/${rendition}`;

/** The first value names the kind of link. In `links.ts` it is an object key instead. */
const listSignedValues = ({ shareId, mediaItemId, rendition }: SharedFileParams, expires: number) =>
  ['sharing', shareId, mediaItemId, rendition, expires] as const;
