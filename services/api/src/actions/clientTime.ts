import { DateTime } from 'luxon';

/** When an uploader says that a file was made. */
export interface ClientTime {
  readonly takenAt: Date;
  /** Minutes east of UTC of the clock that showed it; undefined where only the instant was said. */
  readonly utcOffsetMinutes: number | undefined;
}

/** The same as for times in files (`findCaptureTime`): a clock set wrong would stand at the top of the library for years. */
const futureToleranceMs = 24 * 60 * 60 * 1_000;

/**
 * A time of RFC 3339 as an uploader says it. `Z` and `-00:00` name the instant and no place (RFC 9557, 2.2): most programs write it so
 * wherever they are. A time more than a day in the future counts as none.
 */
export const readClientTime = (text: string | undefined, now = new Date()): ClientTime | undefined => {
  if (text === undefined) return undefined;
  const time = DateTime.fromISO(text, { setZone: true });
  if (!time.isValid || time.toMillis() > now.getTime() + futureToleranceMs) return undefined;
  return { takenAt: time.toJSDate(), utcOffsetMinutes: /(?:z|-00:00)$/i.test(text) ? undefined : time.offset };
};
