import { createHash } from 'node:crypto';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import sharp from 'sharp';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import { readProfileName } from '@hearth/testkit/pictures/profileName.ts';
import type { Client } from '@hearth/testkit/hearth/client.ts';
import { drawMiniature } from './miniature.ts';

/** An accepted file as a client sees it. */
export interface Shown {
  readonly item: MediaItemDetails;
  /** True if lists contain it. */
  readonly isListed: boolean;
  /** SHA-256 of the original behind `sourceUrl`, in hex. */
  readonly originalSha256: string;
  readonly thumbnail: Picture | undefined;
  readonly preview: Picture | undefined;
  readonly poster: Picture | undefined;
  /** Media types of the motion links. */
  readonly motionType: string | undefined;
  readonly place: ShownPlace | undefined;
}

/** The file behind a link. Width and height of a video are 0, because only a player knows them. */
export interface Picture {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  /** Number of frames, more than 1 for an animation. */
  readonly frames: number;
  /** Name of the colour profile. */
  readonly profileName: string | undefined;
  /** Undefined for a video. */
  readonly miniature: string | undefined;
}

/** Place of an item according to the library. */
export interface ShownPlace {
  readonly countryCode: string;
  readonly state: string | null;
  readonly city: string | null;
  readonly town: string | null;
  readonly postcode: string | null;
}

export const collectShown = async (
  id: string,
  client: Client,
  query: Query,
  listed: ReadonlySet<string>,
): Promise<Shown> => {
  const item = await client.get(id);
  const { thumbnailUrl, previewUrl, posterUrl, motionUrl } = item;
  const [place] = await query<ShownPlace>(
    `select country_code as "countryCode", state, city, town, postcode
    from media_item_places join places on id = place_id where media_item_id = $1`,
    [id],
  );
  return {
    item,
    isListed: listed.has(id),
    originalSha256: createHash('sha256')
      .update((await fetchBytes(client, item.sourceUrl)).bytes)
      .digest('hex'),
    thumbnail: await fetchPicture(client, thumbnailUrl),
    preview: await fetchPicture(client, previewUrl),
    poster: await fetchPicture(client, posterUrl),
    motionType: motionUrl === undefined ? undefined : (await fetchBytes(client, motionUrl)).mimeType,
    place,
  };
};

const fetchPicture = async (client: Client, link: string | undefined): Promise<Picture | undefined> => {
  if (link === undefined) return undefined;
  const { bytes, mimeType } = await fetchBytes(client, link);
  if (mimeType.startsWith('video/')) {
    return { bytes, mimeType, width: 0, height: 0, frames: 2, profileName: undefined, miniature: undefined };
  }
  const { width, height, pageHeight = height, pages = 1, icc } = await sharp(bytes, { pages: -1 }).metadata();
  return {
    bytes,
    mimeType,
    width,
    height: pageHeight,
    frames: pages,
    profileName: icc && readProfileName(icc),
    miniature: await drawMiniature(bytes),
  };
};

const fetchBytes = async (
  client: Client,
  link: string,
): Promise<{ readonly bytes: Buffer; readonly mimeType: string }> => {
  const response = await client.fetchLink(link);
  if (response.status !== 200) throw new Error(`${link} returned ${response.status}`);
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    mimeType: response.headers.get('content-type') ?? 'none',
  };
};
