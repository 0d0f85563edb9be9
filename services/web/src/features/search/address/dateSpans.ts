import type { TFunction } from 'i18next';

/** Returns the first and last day of a year, `2022`, or a month, `2022-04`. */
export const toSpan = (date: string): { readonly from: string; readonly to: string } => {
  const [year = 0, month] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month ?? 12, 0)).toISOString().slice(0, 10);
  return { from: month === undefined ? `${date}-01-01` : `${date}-01`, to: lastDay };
};

/** Formats a range of days like `2022-04-03`, as a year, a month, one day or a range. */
export const formatSpan = (from: string, to: string, language: string): string => {
  const [first, last] = [new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)];
  const isWhole = from.endsWith('-01') && isLastDayOfMonth(last);
  const isYear = isWhole && from.endsWith('-01-01') && to === `${from.slice(0, 4)}-12-31`;
  const isMonth = isWhole && from.slice(0, 7) === to.slice(0, 7);
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    year: 'numeric',
    ...(isYear ? {} : { month: 'long' }),
    ...(isYear || isMonth ? {} : { day: 'numeric' }),
  });
  return format.formatRange(first, last);
};

/** Formats a range of days. At least one end is defined. */
export const formatDays = (
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  t: TFunction<'search'>,
  language: string,
): string => {
  if (from !== undefined && to !== undefined) return formatSpan(from, to, language);
  if (from !== undefined) return t('filter.since', { day: formatSpan(from, from, language) });
  return to === undefined ? '' : t('filter.until', { day: formatSpan(to, to, language) });
};

function isLastDayOfMonth(day: Date): boolean {
  return new Date(day.getTime() + 86_400_000).getUTCDate() === 1;
}
