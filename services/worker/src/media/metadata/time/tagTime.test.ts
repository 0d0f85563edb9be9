import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findText, limitTags } from '../../exiftool/mediaTags.ts';
import { parseTagTime, parseUtcOffset, readTagTime } from './tagTime.ts';

/** Texts for which a backtracking regular expression needs quadratic time: minutes or more. */
const quadraticTexts = [
  `2019:04:30${' '.repeat(1e6)}\nx`,
  `2019:04:30${'T'.repeat(1e6)}\nx`,
  `2019:04:30 12:00:00.${'1'.repeat(1e6)} x y`,
  `2019:04:30 12:00${' '.repeat(1e6)}x y`,
  `+${'1'.repeat(1e6)}`,
];

test('parses a time of a million characters quickly', () => {
  const began = process.cpuUsage();
  for (const text of quadraticTexts) {
    parseTagTime(text);
    parseUtcOffset(text);
    readTagTime(
      { date: text, time: text, fraction: text, offset: text },
      { date: 'date', time: 'time', fraction: 'fraction', offset: 'offset' },
    );
    findText({ text }, 'text');
  }
  const { user } = process.cpuUsage(began);
  assert.ok(user < 1e6, `${user} µs`);
});

test('parses a date followed by other text', () => {
  assert.equal(parseTagTime(quadraticTexts[0]!)?.wallTime.toISODate(), '2019-04-30');
  assert.equal(parseTagTime('2019:04:30 12:06:59.25+02:00 DST')?.utcOffsetMinutes, 120);
});

test('truncates long texts and lists in tags', () => {
  const tags = limitTags({ text: 'x'.repeat(1e5), list: Array.from({ length: 1e4 }, () => 'y'.repeat(1e5)), count: 7 });
  assert.equal(String(tags['text']).length, 4096);
  const list = tags['list'] as string[];
  assert.deepEqual([list.length, list[0]?.length, tags['count']], [1024, 4096, 7]);
});
