import type { MediaItem } from '@hearth/contract/mediaItem.ts';

/** How an item is marked in a grid. */
export type MediaKind = 'photo' | 'video' | 'live' | 'animated';

/** What a grid and the viewer need to know of an item before its details are there. */
export interface GridItem {
  readonly id: string;
  /** Width divided by height, upright; 1 while unknown. */
  readonly aspectRatio: number;
  /** A ThumbHash in base64. */
  readonly placeholder: string | undefined;
  readonly kind: MediaKind;
  /** The day it was taken, on a clock where that was: `2022-04-03`. */
  readonly day: string;
  readonly durationSeconds: number | undefined;
  /** Undefined until there is a thumbnail. */
  readonly thumbnailUrl: string | undefined;
  /** Of a Live Photo: its moving seconds, once there is a version that browsers play; null where the list does not tell, and the item has to be asked. */
  readonly motionUrl?: string | null | undefined;
  readonly favourite: boolean;
  readonly status: MediaItem['status'];
  /** A few words that stand on the picture, such as for how many days the trash keeps it. */
  readonly note?: string | undefined;
  /** Of what a search has found: why, as `Dog, Berlin`. */
  readonly found?: string | undefined;
}

/** What a grid shows of an item that a list answered, with the words that stand on the picture, if any. */
export const toGridItem = (item: MediaItem, note?: string): GridItem => ({
  id: item.id,
  aspectRatio: item.width !== undefined && item.height !== undefined ? item.width / item.height : 1,
  placeholder: item.placeholder,
  kind: kindOf(item),
  day: item.localTime.slice(0, 10),
  durationSeconds: item.durationSeconds,
  thumbnailUrl: item.thumbnailUrl,
  motionUrl: item.motionUrl,
  favourite: item.favourite,
  status: item.status,
  note,
});

function kindOf(item: MediaItem): MediaKind {
  if (item.mediaItemType === 'VIDEO') return 'video';
  if (item.mediaItemCategory === 'LIVE' || item.mediaItemCategory === 'MOTION') return 'live';
  return item.mimeType === 'image/gif' ? 'animated' : 'photo';
}
