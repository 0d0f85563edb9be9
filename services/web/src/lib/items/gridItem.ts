import type { MediaItem } from '@hearth/contract/mediaItem.ts';

/** Badge of an item in a grid. */
export type MediaKind = 'photo' | 'video' | 'live' | 'animated';

/** Fields that a grid and the viewer need before the item's details are loaded. */
export interface GridItem {
  readonly id: string;
  /** Width divided by height after rotation; 1 if unknown. */
  readonly aspectRatio: number;
  /** ThumbHash in base64. */
  readonly placeholder: string | undefined;
  readonly kind: MediaKind;
  /** Local day of capture: `2022-04-03`. */
  readonly day: string;
  readonly durationSeconds: number | undefined;
  /** Undefined until the thumbnail exists. */
  readonly thumbnailUrl: string | undefined;
  /**
   * Video of a Live Photo in a format that browsers play, once it exists. Null: the list response lacks this field;
   * load the item's details.
   */
  readonly motionUrl?: string | null | undefined;
  readonly favourite: boolean;
  readonly status: MediaItem['status'];
  /** Text over the picture, such as the remaining days in the trash. */
  readonly note?: string | undefined;
  /** Match reasons of a search result, such as `Dog, Berlin`. */
  readonly found?: string | undefined;
}

/** Converts an item from an API list. `note`: text over the picture. */
export const toGridItem = (item: MediaItem, note?: string): GridItem => ({
  id: item.id,
  aspectRatio: item.width !== undefined && item.height !== undefined ? item.width / item.height : 1,
  placeholder: item.placeholder,
  kind: getKind(item),
  day: item.localTime.slice(0, 10),
  durationSeconds: item.durationSeconds,
  thumbnailUrl: item.thumbnailUrl,
  motionUrl: item.motionUrl,
  favourite: item.favourite,
  status: item.status,
  note,
});

function getKind(item: MediaItem): MediaKind {
  if (item.mediaItemType === 'VIDEO') return 'video';
  if (item.mediaItemCategory === 'LIVE' || item.mediaItemCategory === 'MOTION') return 'live';
  return item.mimeType === 'image/gif' ? 'animated' : 'photo';
}
