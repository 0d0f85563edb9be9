import { DateTime } from 'luxon';

/** Capture time according to the uploader. */
export interface ClientTime {
  readonly takenAt: Date;
  /** Offset of the uploader's clock, in minutes east of UTC. Undefined if only the instant is known. */
  readonly utcOffsetMinutes: number | undefined;
}

/**
 * Tolerance for times in the future, as for times in files (`findCaptureTime`). Without a limit, an item of a camera
 * with a wrong clock would stay on top of the library for years.
 */
const futureToleranceMs = 24 * 60 * 60 * 1_000;

/** The largest offset of any time zone (Line Islands). */
const maxOffsetMinutes = 14 * 60;

/**
 * Parses an uploader's time (RFC 3339). `Z` means the offset `+00:00`. `-00:00` and offsets beyond ±14:00, which no
 * clock has, give an instant without offset. Returns undefined for a time more than a day in the future.
 */
export const readClientTime = (text: string | undefined, now = new Date()): ClientTime | undefined => {
  if (text === undefined) return undefined;
  const time = DateTime.fromISO(text, { setZone: true });
  if (!time.isValid || time.toMillis() > now.getTime() + futureToleranceMs) return undefined;
  const isKnown = !text.endsWith('-00:00') && Math.abs(time.offset) <= maxOffsetMinutes;
  return { takenAt: time.toJSDate(), utcOffsetMinutes: isKnown ? time.offset : undefined };
};
