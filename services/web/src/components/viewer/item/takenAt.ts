/** When something was taken, on a clock where that was. */
interface TakenAt {
  /** `2022-04-03T12:56:11`, with fractions of a second where known. */
  readonly localTime: string;
  /** `+05:30`; undefined where nobody knows the zone. */
  readonly utcOffset?: string | undefined;
}

/** The day with its weekday: `Sunday, 3 April 2022`. */
export const longDay = (localTime: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(onUtcClock(localTime));

/** The day without its weekday, for texts that screen readers speak: `3 April 2022`. Also takes a day without a time. */
export const dayWithoutWeekday = (localTime: string, language: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    onUtcClock(localTime),
  );

/** The time on the wall and how far that clock was from UTC, where known: `12:56 GMT+5:30`. */
export const timeWithZone = ({ localTime, utcOffset }: TakenAt, language: string): string => {
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' }).format(onUtcClock(localTime));
  return utcOffset === undefined ? time : `${time} ${zoneName(utcOffset)}`;
};

/** `+05:30` as `GMT+5:30`, `+00:00` as `GMT`. */
function zoneName(utcOffset: string): string {
  const [, sign = '+', hours = '0', minutes = '00'] = /^([+-])(\d{2}):(\d{2})$/.exec(utcOffset) ?? [];
  if (Number(hours) === 0 && minutes === '00') return 'GMT';
  return `GMT${sign === '-' ? '−' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

// The clock that is read is where the picture was taken, not where the browser is: so the hands are taken as UTC's, and shown as such.
function onUtcClock(localTime: string): Date {
  return new Date(`${localTime.length === 10 ? `${localTime}T00:00:00` : localTime}Z`);
}
