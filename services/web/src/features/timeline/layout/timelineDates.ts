export interface TimelineDates {
  /** `April 2022` */
  readonly month: (month: string) => string;
  /** `Apr 2022`, for small spaces. */
  readonly shortMonth: (month: string) => string;
  /** `Sat, 30 Apr`, below a title with the year. */
  readonly day: (date: string) => string;
  /** `Saturday, 30 April 2022` */
  readonly fullDay: (date: string) => string;
}

const cache = new Map<string, TimelineDates>();

/** Returns the cached formats of a language. Dates are local to the place of capture, so no time zone applies. */
export const timelineDates = (language: string): TimelineDates => {
  const known = cache.get(language);
  if (known !== undefined) return known;
  const format = (options: Intl.DateTimeFormatOptions): ((date: string) => string) => {
    const { format: formatDate } = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return (date) => formatDate(new Date(`${date.padEnd(10, '-01')}T12:00:00Z`));
  };
  const dates = {
    month: format({ month: 'long', year: 'numeric' }),
    shortMonth: format({ month: 'short', year: 'numeric' }),
    day: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    fullDay: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  };
  cache.set(language, dates);
  return dates;
};

/** Returns the name of a date that is today or yesterday in the time zone of this device. */
export const getRelativeDay = (date: string, now = new Date()): 'today' | 'yesterday' | undefined => {
  if (date === localDay(now)) return 'today';
  return date === localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)) ? 'yesterday' : undefined;
};

function localDay(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month ?? ''}-${day ?? ''}`;
}
