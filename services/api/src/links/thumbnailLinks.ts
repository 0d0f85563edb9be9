import type { ThumbnailParams } from '@hearth/contract/thumbnails.ts';
import { getLinkExpiry, validMs } from './links.ts';
import { createLinkSigner, type SignedLinksOptions } from './linkSigner.ts';

/** Signs and verifies the common prefix of all thumbnail links of a user. */
export interface ThumbnailLinks {
  /**
   * Returns the link prefix of a user's thumbnails with this object name. Append the id of an item that is not hidden.
   */
  signPrefix(user: { readonly userId: string; readonly linkEpoch: number }, name: string, now?: Date): string;
  /**
   * Returns true if Hearth signed this link and it has not expired. Does not check the epoch, which `LinkStates` does.
   */
  verify(target: ThumbnailParams, now?: Date): boolean;
}

/**
 * One signature covers all thumbnails of a user: with one per thumbnail, the response for a grid of thousands would be
 * too large. The signature stays the same for 24 hours, like other links. The links lead to the API even if the store
 * has a public URL, because the store cannot verify this signature.
 */
export const createThumbnailLinks = ({ baseUrl, ...options }: SignedLinksOptions): ThumbnailLinks => {
  const signer = createLinkSigner(options);
  return {
    signPrefix: ({ userId, linkEpoch: epoch }, name, now = new Date()) => {
      const expires = getLinkExpiry(now);
      const signature = signer.sign(listSignedValues({ userId, name, epoch, expires }));
      return `${baseUrl}${getPrefix({ userId, name, epoch, expires, key: signer.key, signature })}`;
    },
    verify: (target, now = new Date()) => {
      const leftMs = target.expires * 1_000 - now.getTime();
      // A longer validity means that a leaked previous key was used: Hearth never signs such a link.
      return leftMs > 0 && leftMs <= validMs && signer.isValid(listSignedValues(target), target.key, target.signature);
    },
  };
};

export const thumbnailPath = (target: ThumbnailParams): string => `${getPrefix(target)}${target.mediaItemId}`;

const getPrefix = ({ userId, name, epoch, expires, key, signature }: Omit<ThumbnailParams, 'mediaItemId'>): string =>
  `/v1/thumbnails/${userId}/${name}/${epoch}/${expires}/${key}/${signature}/`;

/** The first value names the kind of link. In `links.ts` it is an object key instead. */
const listSignedValues = ({
  userId,
  name,
  epoch,
  expires,
}: Pick<ThumbnailParams, 'userId' | 'name' | 'epoch' | 'expires'>) =>
  ['thumbnails', userId, name, epoch, expires] as const;
