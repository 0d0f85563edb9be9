import type { ThumbnailParams } from '@hearth/contract/thumbnails.ts';
import { linkExpiry, validMs } from './links.ts';
import { createLinkSigner, type SignedLinksOptions } from '../signing/linkSigner.ts';

/** Makes and checks what the links of all thumbnails of a user begin with. */
export interface ThumbnailLinks {
  /** What the links of a user's thumbnails of this name begin with; the id of an item follows. */
  signPrefix(userId: string, name: string, now?: Date): string;
  /** Whether a link is ours, unchanged and in time: decided without the database, since a grid asks by the hundred. */
  verify(target: ThumbnailParams, now?: Date): boolean;
}

/**
 * One signature for all thumbnails of a user, since a grid of thousands has no room for one each. The same for 24 hours, as other links of
 * files. They lead to us also where the object store has a public address, which takes no such signature.
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
      // None that we made works for longer, whoever has learnt an earlier key.
      return leftMs > 0 && leftMs <= validMs && signer.isRight(wordsOf(target), target.key, target.signature);
    },
  };
};

/** Where the link of a thumbnail leads. */
export const thumbnailPath = (target: ThumbnailParams): string => `${prefixOf(target)}${target.mediaItemId}`;

const prefixOf = ({ userId, name, expires, key, signature }: Omit<ThumbnailParams, 'mediaItemId'>): string =>
  `/v1/thumbnails/${userId}/${name}/${expires}/${key}/${signature}/`;

/** The first word sets it apart from a link of `links.ts`, whose first is the key of an object. */
const wordsOf = ({ userId, name, expires }: Pick<ThumbnailParams, 'userId' | 'name' | 'expires'>) =>
  ['thumbnails', userId, name, expires] as const;
