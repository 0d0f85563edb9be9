import { expect, test } from 'vitest';
import { formatLongDay, formatDay, formatTimeWithZone } from './formatTakenAt.ts';

test("formats a day with its weekday, independently of the browser's time zone", () => {
  expect(formatLongDay('2022-04-03T23:56:11.25', 'en-GB')).toMatch(/^Sunday,? 3 April 2022$/);
  expect(formatLongDay('2022-04-03T00:03:00', 'de')).toBe('Sonntag, 3. April 2022');
});

test('formats a day without weekday, from a date or a date and time', () => {
  expect(formatDay('2022-04-03', 'en-GB')).toBe('3 April 2022');
  expect(formatDay('2022-04-03T12:00:00', 'de')).toBe('3. April 2022');
});

test.each([
  ['a half-hour offset', { localTime: '2022-04-03T12:56:11', utcOffset: '+05:30' }, '12:56 GMT+5:30'],
  ['a whole-hour offset', { localTime: '2022-04-03T12:56:11', utcOffset: '-03:00' }, '12:56 GMT−3'],
  ['Greenwich', { localTime: '2022-04-03T00:05:00', utcOffset: '+00:00' }, '00:05 GMT'],
  ['an unknown offset', { localTime: '2022-04-03T12:56:11' }, '12:56'],
])('formats the time at the place of capture: %s', (_, takenAt, text) => {
  expect(formatTimeWithZone(takenAt, 'en-GB')).toBe(text);
});
