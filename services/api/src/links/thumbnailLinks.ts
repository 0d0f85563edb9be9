import type { ThumbnailParams } from '@hearth/contract/thumbnails.ts';
import { linkExpiry, validMs } from './links.ts';
import { createLinkSigner, type SignedLinksOptions } from './linkSigner.ts';

/** Makes and checks the prefix that the links of all thumbnails of a user share. */
export interface ThumbnailLinks {
  /** The prefix of the links of a user's thumbnails with this name; the id of an item that is not hidden completes a link. */
  signPrefix(user: { readonly userId: string; readonly linkEpoch: number }, name: string, now?: Date): string;
  /** True if Hearth made this link and it has not expired. Does not read the database: `LinkStates` checks the epoch. */
  verify(target: ThumbnailParams, now?: Date): boolean;
}

/**
 * One signature serves all thumbnails of a user, because one for each would make a grid of thousands too large. It stays the same for 24
 * hours, as in other links. The links lead to the API even if the object store has a public address: the store knows no such signature.
 */
export const createThumbnailLinks = ({ baseUrl, ...options }: SignedLinksOptions): ThumbnailLinks => {
  const signer = createLinkSigner(options);
  return {
    signPrefix: ({ userId, linkEpoch: epoch }, name, now = new Date()) => {
      const expires = linkExpiry(now);
      const signature = signer.sign(wordsOf({ userId, name, epoch, expires }));
      return `${baseUrl}${prefixOf({ userId, name, epoch, expires, key: signer.key, signature })}`;
    },
    verify: (target, now = new Date()) => {
      const leftMs = target.expires * 1_000 - now.getTime();
      // Hearth never signs a link that works for longer; somebody who has learnt an earlier key could.
      return leftMs > 0 && leftMs <= validMs && signer.isRight(wordsOf(target), target.key, target.signature);
    },
  };
};

/** The path of the link of a thumbnail. */
export const thumbnailPath = (target: ThumbnailParams): string => `${prefixOf(target)}${target.mediaItemId}`;

const prefixOf = ({ userId, name, epoch, expires, key, signature }: Omit<ThumbnailParams, 'mediaItemId'>): string =>
  `/v1/thumbnails/${userId}/${name}/${epoch}/${expires}/${key}/${signature}/`;

/** The first value names the kind of link; in `links.ts` the first value is the key of an object. */
const wordsOf = ({ userId, name, epoch, expires }: Pick<ThumbnailParams, 'userId' | 'name' | 'epoch' | 'expires'>) =>
  ['thumbnails', userId, name, epoch, expires] as const;
