import type { TFunction } from 'i18next';
import { formatDuration } from '../../lib/i18n/formats.ts';
import type { GridItem } from '../../lib/items/gridItem.ts';

/** Returns the accessible name of an item: "Video, 0:12, 3 April 2022, favourite, matches: Dog". */
export const getCellName = (item: GridItem, t: TFunction<'library'>, language: string): string =>
  [
    t(`kind.${item.kind}`),
    item.durationSeconds === undefined ? undefined : formatDuration(item.durationSeconds),
    formatLongDate(item.day, language),
    item.favourite ? t('state.favourite') : undefined,
    item.note,
    item.status === 'PROCESSING' ? t('state.processing') : undefined,
    item.status === 'FAILED' ? t('state.failed') : undefined,
    item.found === undefined ? undefined : t('found', { reasons: item.found }),
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cache of formatted dates. Formatting a date is the slowest part of a name. */
const formattedDays = new Map<string, string>();

function formatLongDate(day: string, language: string): string {
  const key = `${language} ${day}`;
  const cached = formattedDays.get(key);
  if (cached !== undefined) return cached;
  const format = formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  formats.set(language, format);
  const date = format.format(new Date(`${day}T12:00:00Z`));
  formattedDays.set(key, date);
  return date;
}
