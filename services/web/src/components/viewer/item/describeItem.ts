import type { TFunction } from 'i18next';
import type { GridItem, MediaKind } from '../../../lib/items/gridItem.ts';
import { formatLocale } from '../../../lib/i18n/formats.ts';
import { formatDay } from './formatTakenAt.ts';
import type { ViewedItem } from './viewedItem.ts';

/** Returns a name for an item without a description: `Photo, 3 April 2022`. */
export const describeItem = (
  grid: GridItem | undefined,
  item: ViewedItem | undefined,
  t: TFunction<'viewer'>,
  language: string,
): string => {
  const kind = t(`kinds.${grid?.kind ?? getKind(item)}`);
  const day = item?.localTime ?? grid?.day;
  return day === undefined ? kind : t('described', { kind, day: formatDay(day, formatLocale(language)) });
};

function getKind(item: ViewedItem | undefined): MediaKind {
  if (item?.mediaItemType === 'VIDEO') return 'video';
  return item?.motionUrl === undefined ? 'photo' : 'live';
}
