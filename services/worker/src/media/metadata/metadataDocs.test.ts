import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clockEpochYears } from './time/captureTime.ts';
import { categoryRules } from './category.ts';
import { dateSources } from './time/dateSources.ts';

// The formatter wraps long list items.
const page = readFileSync(
  join(import.meta.dirname, '../../../../../docs/docs/dev-guide/metadata.md'),
  'utf8',
).replaceAll('\n   ', ' ');

const numbered = (lines: readonly string[]): string => lines.map((line, i) => `${i + 1}. ${line}`).join('\n');

test('metadata.md lists the tags of the capture time in their order', () => {
  const lines = dateSources.map(({ names: { date, time, fraction, offset }, shows, isUtc, ignoreUtc }) => {
    const others = [time, fraction, offset].filter((name) => name !== undefined).map((name) => `\`${name}\``);
    const notes = [isUtc && 'an instant in UTC', ignoreUtc && '+00:00 is ignored'].filter(Boolean);
    return `\`${date}\`${others.length > 0 ? ` with ${others.join(', ')}` : ''}: ${[shows, ...notes].join('; ')}`;
  });
  assert.ok(page.includes(numbered(lines)), `metadata.md lacks this list:\n\n${numbered(lines)}`);
});

test('metadata.md lists the markers of the categories in their order', () => {
  const lines = categoryRules.map(({ category, marker }) => `\`${category}\`: ${marker}.`);
  assert.ok(page.includes(numbered(lines)), `metadata.md lacks this list:\n\n${numbered(lines)}`);
});

test('metadata.md lists the epoch years of clocks', () => {
  assert.ok(page.includes(clockEpochYears.join(', ')));
});
