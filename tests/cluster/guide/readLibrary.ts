import { createHash } from 'node:crypto';
import type { Album } from '@hearth/contract/albums.ts';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import type { PublicAddress } from './publicAddress.ts';

/** An item with the SHA-256 of its files, in hex. */
interface SavedItem extends Pick<MediaItem, 'id' | 'filename' | 'status' | 'creationTime'> {
  readonly original: string;
  readonly thumbnail: string;
}

/** Data that must be identical after a restore. */
export interface SavedLibrary {
  readonly items: readonly SavedItem[];
  readonly albums: readonly Pick<Album, 'name' | 'mediaItemsCount'>[];
}

/** Reads a user's albums and up to 200 items, with the checksums of the files behind their links. */
export const readLibrary = async (address: PublicAddress, person: Credentials): Promise<SavedLibrary> => {
  const token = await address.signIn(person);
  const listed = await address.getJson<MediaItem[]>('/v1/mediaItems?limit=200', token);
  const items: SavedItem[] = [];
  for (const { id, filename, status, creationTime, sourceUrl, thumbnailUrl } of listed)
    items.push({
      id,
      filename,
      status,
      creationTime,
      original: digest(await address.get(sourceUrl)),
      thumbnail: digest(await address.get(thumbnailUrl ?? '')),
    });
  const albums = await address.getJson<Album[]>('/v1/albums', token);
  return { items, albums: albums.map(({ name, mediaItemsCount }) => ({ name, mediaItemsCount })) };
};

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
