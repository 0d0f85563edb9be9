/**
 * The days from `first` to `last`, both local times without a zone, in the words of a language: `3–9 April 2022`, or one day, or, where more
 * than a year lies between, the months alone.
 */
export const formatPeriod = (first: string, last: string, language: string): string => {
  const [from, to] = [dayOf(first), dayOf(last)];
  const isLong = to.getTime() - from.getTime() > 366 * 86_400_000;
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
    ...(isLong ? {} : { day: 'numeric' }),
  });
  return format.formatRange(from, to);
};

function dayOf(localTime: string): Date {
  return new Date(`${localTime.slice(0, 10)}T00:00:00Z`);
}
