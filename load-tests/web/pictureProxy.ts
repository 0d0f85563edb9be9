import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { openFolderStore } from '@hearth/core/objects/folder/folderStore.ts';
import { thumbnailKey } from '@hearth/core/objects/keys.ts';
import { drawThumbnail } from '../bench/corpus/drawScene.ts';
import { startHttpProxy, type HttpProxy } from '@hearth/testkit/hearth/httpProxy.ts';

/** Ids of the items that have a thumbnail. */
const pictureIds = Array.from(
  { length: 48 },
  (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
);

/** Stores the thumbnails of `pictureIds`. */
export const storePictures = async (objectsDirectory: string, userId: string): Promise<void> => {
  const store = await openFolderStore(objectsDirectory);
  for (const [index, id] of pictureIds.entries()) {
    await store.put(thumbnailKey(userId, id, 1), Readable.from([await drawThumbnail(index + 1)]));
  }
};

/**
 * Starts a proxy to the API that replaces the item id of each thumbnail request with one of `pictureIds`. The signature
 * of a thumbnail link covers all items of a user, so it stays valid. The API does its full work, and a million items
 * need no million files.
 */
export const startPictureProxy = async (apiUrl: string): Promise<HttpProxy> =>
  startHttpProxy(apiUrl, { replacePath: withPicture });

/** Replaces the item id in a thumbnail path. The same id always gets the same replacement. */
const withPicture = (address: string): string =>
  address.replace(/^(\/v1\/thumbnails\/.*\/)([^/]+)$/, (_, prefix: string, id: string) => {
    const number = createHash('sha1').update(id).digest().readUInt32BE(0) % pictureIds.length;
    return `${prefix}${pictureIds[number]!}`;
  });
