/** Local capture time. */
interface TakenAt {
  /** `2022-04-03T12:56:11`, optionally with fractions of a second. */
  readonly localTime: string;
  /** `+05:30`; undefined if the zone is unknown. */
  readonly utcOffset?: string | undefined;
}

/** Formats the day as `Sunday, 3 April 2022`. */
export const formatLongDay = (localTime: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(toUtcClock(localTime));

/** Formats the day as `3 April 2022`, for screen readers. Also accepts a date without a time. */
export const formatDay = (localTime: string, language: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    toUtcClock(localTime),
  );

/** Formats time and UTC offset: `12:56 GMT+5:30`. Omits an unknown offset. */
export const formatTimeWithZone = ({ localTime, utcOffset }: TakenAt, language: string): string => {
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' }).format(toUtcClock(localTime));
  return utcOffset === undefined ? time : `${time} ${formatZone(utcOffset)}`;
};

/** Formats `+05:30` as `GMT+5:30` and `+00:00` as `GMT`. */
function formatZone(utcOffset: string): string {
  const [, sign = '+', hours = '0', minutes = '00'] = /^([+-])(\d{2}):(\d{2})$/.exec(utcOffset) ?? [];
  if (Number(hours) === 0 && minutes === '00') return 'GMT';
  return `GMT${sign === '-' ? '−' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

// Treats local times as UTC and formats them in UTC, so that the browser's time zone has no effect.
function toUtcClock(localTime: string): Date {
  return new Date(`${localTime.length === 10 ? `${localTime}T00:00:00` : localTime}Z`);
}
