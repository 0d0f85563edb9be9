import { DateTime } from 'luxon';

/** The time at which a file was made, as its uploader says. */
export interface ClientTime {
  readonly takenAt: Date;
  /** Minutes east of UTC of the uploader's clock; undefined where only the instant is known. */
  readonly utcOffsetMinutes: number | undefined;
}

/**
 * How far in the future a time may be: as for times in files (`findCaptureTime`). An item of a camera with a wrong clock would otherwise
 * stay at the top of the library for years.
 */
const futureToleranceMs = 24 * 60 * 60 * 1_000;

/**
 * Reads an uploader's time (RFC 3339). `Z` and `-00:00` give the instant but no zone (RFC 9557, 2.2): most programs write them wherever
 * they are. A time more than a day in the future counts as no time.
 */
export const readClientTime = (text: string | undefined, now = new Date()): ClientTime | undefined => {
  if (text === undefined) return undefined;
  const time = DateTime.fromISO(text, { setZone: true });
  if (!time.isValid || time.toMillis() > now.getTime() + futureToleranceMs) return undefined;
  return { takenAt: time.toJSDate(), utcOffsetMinutes: /(?:z|-00:00)$/i.test(text) ? undefined : time.offset };
};
