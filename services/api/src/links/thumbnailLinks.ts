import type { ThumbnailParams } from '@hearth/contract/thumbnails.ts';
import { linkExpiry, validMs } from './links.ts';
import { createLinkSigner, type SignedLinksOptions } from '../signing/linkSigner.ts';

/** Makes and checks the prefix that the links of all thumbnails of a user share. */
export interface ThumbnailLinks {
  /** The prefix of the links of a user's thumbnails with this name; the id of an item completes a link. */
  signPrefix(userId: string, name: string, now?: Date): string;
  /** Whether Hearth made this link and it has not expired. Needs no database, because a grid asks by the hundred. */
  verify(target: ThumbnailParams, now?: Date): boolean;
}

/**
 * One signature serves all thumbnails of a user, because one for each would make a grid of thousands too large. It stays the same for 24
 * hours, as in other links. The links lead to the API even if the object store has a public address: the store knows no such signature.
 */
export const createThumbnailLinks = ({ baseUrl, ...options }: SignedLinksOptions): ThumbnailLinks => {
  const signer = createLinkSigner(options);
  return {
    signPrefix: (userId, name, now = new Date()) => {
      const expires = linkExpiry(now);
      const signature = signer.sign(wordsOf({ userId, name, expires }));
      return `${baseUrl}${prefixOf({ userId, name, expires, key: signer.key, signature })}`;
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

const prefixOf = ({ userId, name, expires, key, signature }: Omit<ThumbnailParams, 'mediaItemId'>): string =>
  `/v1/thumbnails/${userId}/${name}/${expires}/${key}/${signature}/`;

/** The first value names the kind of link; in `links.ts` the first value is the key of an object. */
const wordsOf = ({ userId, name, expires }: Pick<ThumbnailParams, 'userId' | 'name' | 'expires'>) =>
  ['thumbnails', userId, name, expires] as const;
