import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFigures } from '@hearth/testkit/figures/figures.ts';
import { figuresPath, publishedSection } from '@hearth/testkit/figures/publish.ts';
import { drawnCharts } from '@hearth/scripts/charts/drawChart.ts';
import { listPages } from '@hearth/scripts/site/pages.ts';

const root = join(import.meta.dirname, '../..');
const guide = join(root, 'docs/docs/dev-guide');

test('the generated pages are up to date', () => {
  const oxfmt = join(root, 'node_modules/.bin/oxfmt');
  for (const [path, text] of listPages()) {
    const input = `${text}\n`;
    const formatted = execFileSync(oxfmt, [`--stdin-filepath=${path}`], { cwd: root, input, encoding: 'utf8' });
    assert.equal(readFileSync(join(root, path), 'utf8'), formatted, `${path} is stale: npm run docs:pages`);
  }
});

test('the stored figures match the tables on the benchmarks page', () => {
  const page = readFileSync(join(guide, 'benchmarks.md'), 'utf8');
  for (const [, command = ''] of page.matchAll(/<!-- npm run (\S+): begin -->/g)) {
    const stored: unknown = JSON.parse(readFileSync(figuresPath(command), 'utf8'));
    assert.deepEqual(stored, readFigures(command, publishedSection(page, command)), `${command} -- --publish`);
  }
});

test('the charts match the stored figures', async () => {
  for (const [file, svg] of await drawnCharts())
    assert.equal(readFileSync(join(guide, 'benchmarks', file), 'utf8'), svg, `${file} is stale: npm run docs:charts`);
});
