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

/** The largest offset of any time zone: that of the Line Islands. */
const maxOffsetMinutes = 14 * 60;

/**
 * Reads an uploader's time (RFC 3339). `Z` is the offset `+00:00`. `-00:00`, and an offset beyond ±14:00, which no clock has, give the instant
 * without an offset. A time more than a day in the future counts as no time.
 */
export const readClientTime = (text: string | undefined, now = new Date()): ClientTime | undefined => {
  if (text === undefined) return undefined;
  const time = DateTime.fromISO(text, { setZone: true });
  if (!time.isValid || time.toMillis() > now.getTime() + futureToleranceMs) return undefined;
  const isKnown = !text.endsWith('-00:00') && Math.abs(time.offset) <= maxOffsetMinutes;
  return { takenAt: time.toJSDate(), utcOffsetMinutes: isKnown ? time.offset : undefined };
};
