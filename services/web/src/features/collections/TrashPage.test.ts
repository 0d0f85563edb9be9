import { expect, it } from 'vitest';
import { countDaysLeft } from './TrashPage.tsx';

it.each([
  { now: '2026-11-01T12:00:00Z', trashDays: 30, days: 30 },
  { now: '2026-11-01T12:00:01Z', trashDays: 30, days: 30 },
  { now: '2026-11-02T12:00:00Z', trashDays: 30, days: 29 },
  { now: '2026-11-30T13:00:00Z', trashDays: 30, days: 1 },
  { now: '2026-12-01T12:00:00Z', trashDays: 30, days: 0 },
  { now: '2027-06-01T12:00:00Z', trashDays: 30, days: 0 },
  { now: '2026-11-01T12:00:00Z', trashDays: 7, days: 7 },
  { now: '2026-11-08T11:00:00Z', trashDays: 7, days: 1 },
  { now: '2026-11-09T12:00:00Z', trashDays: 7, days: 0 },
  // The clock of the device is behind the clock of the server.
  { now: '2026-10-31T12:00:00Z', trashDays: 30, days: 30 },
])('returns $days of $trashDays days at $now for an item deleted at noon on November 1', ({ now, trashDays, days }) => {
  expect(countDaysLeft('2026-11-01T12:00:00Z', new Date(now), trashDays)).toBe(days);
});
