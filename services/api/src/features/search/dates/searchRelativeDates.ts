import {
  getStartOfDay,
  daysAgoByName,
  monthsByName,
  relationsByName,
  unitsByName,
  yearlyTimesByName,
  type Span,
  type YearlyTime,
} from './searchDateWords.ts';

/**
 * Parses a relative time at `begin`, such as `yesterday`, `last week`, `letzten sommer` or `this june`, as seen from
 * `today` (`2026-11-25`). `last` is the latest that is over, `this` the latest that has started.
 */
export const readRelative = (
  words: readonly string[],
  begin: number,
  today: string,
): { readonly end: number; readonly span: Span } | undefined => {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const [first = '', second = ''] = words.slice(begin);
  const daysAgo = daysAgoByName.get(first);
  if (daysAgo !== undefined) {
    const span = {
      from: getStartOfDay(year, month, day - daysAgo),
      until: getStartOfDay(year, month, day - daysAgo + 1),
    };
    return { end: begin + 1, span };
  }
  const relation = relationsByName.get(first);
  if (relation === undefined) return undefined;
  const back = relation === 'last' ? 1 : 0;
  const unit = unitsByName.get(second);
  if (unit !== undefined) return { end: begin + 2, span: unitSpans[unit](year, month, day, back) };
  const time = yearlyTimesByName.get(second) ?? timeOfMonth(monthsByName.get(second));
  if (time === undefined) return undefined;
  const midnight = getStartOfDay(year, month, day);
  // Until December, the current winter is that of the previous year.
  const spans = [year, year - 1, year - 2].map(time);
  const span = spans.find(({ from, until }) => (relation === 'last' ? until : from) <= midnight);
  return span && { end: begin + 2, span };
};

const unitSpans = {
  year: (year: number, _month: number, _day: number, back: number): Span => ({
    from: getStartOfDay(year - back, 1, 1),
    until: getStartOfDay(year - back + 1, 1, 1),
  }),
  month: (year: number, month: number, _day: number, back: number): Span => ({
    from: getStartOfDay(year, month - back, 1),
    until: getStartOfDay(year, month - back + 1, 1),
  }),
  /** From Monday to Sunday. */
  week: (year: number, month: number, day: number, back: number): Span => {
    const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
    const monday = day - weekday - 7 * back;
    return { from: getStartOfDay(year, month, monday), until: getStartOfDay(year, month, monday + 7) };
  },
};

const timeOfMonth = (month: number | undefined): YearlyTime | undefined =>
  month === undefined
    ? undefined
    : (year) => ({ from: getStartOfDay(year, month, 1), until: getStartOfDay(year, month + 1, 1) });
