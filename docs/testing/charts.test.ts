import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFigures } from '../../load-tests/harness/figures.ts';
import { figuresPath, publishedSection } from '../../load-tests/harness/publish.ts';
import { charts } from '../../scripts/charts/charts.ts';
import { drawnCharts } from '../../scripts/charts/drawnCharts.ts';
import { diagramFile, diagramFolder, diagramText } from '../../scripts/site/diagramFiles.ts';
import { listBlocks } from './pages.ts';

const guide = join(import.meta.dirname, '../docs/dev-guide');
const page = readFileSync(join(guide, 'benchmarks.md'), 'utf8');

test('the figures that are kept are those of the tables on the page', () => {
  const commands = [...page.matchAll(/<!-- npm run (\S+): begin -->/g)].map(([, command = '']) => command);
  assert.ok(commands.length >= 10);
  for (const command of commands) {
    const kept: unknown = JSON.parse(readFileSync(figuresPath(command), 'utf8'));
    assert.deepEqual(kept, readFigures(command, publishedSection(page, command)), `${command} -- --publish`);
  }
  assert.equal(globSync('benchmarks/*.json', { cwd: guide }).length, commands.length);
});

test('every chart is drawn of the figures that are kept', () => {
  const drawn = drawnCharts();
  assert.equal(drawn.length, 2 * charts.length);
  for (const [file, svg] of drawn)
    assert.equal(readFileSync(join(guide, 'benchmarks', file), 'utf8'), svg, `${file} is stale: npm run docs:charts`);
  assert.deepEqual(globSync('benchmarks/*.svg', { cwd: guide }).length, drawn.length);
});

test('every chart stands right behind its table, says in words what it shows, and has a title and an axis', () => {
  for (const { name, command, title, axis } of charts) {
    const [, after = ''] = page.split(`<!-- npm run ${command}: end -->`);
    const [, alt = '', file] = /^\s*!\[([^\]]*)\]\(([^)]+)\)/.exec(after) ?? [];
    assert.equal(file, `benchmarks/${name}-light.svg`);
    assert.ok(alt.length > 40, name);
    const svg = readFileSync(join(guide, 'benchmarks', `${name}-light.svg`), 'utf8');
    for (const text of [title, axis]) assert.ok(svg.includes(`>${text}</text>`), `${name}: ${text}`);
  }
});

test('a figure is read with its sign and its unit', () => {
  const { measured, tables } = readFigures(
    'bench:any',
    '\n2026-01-02: somewhere.\n\n| | wanted | one | two |\n| --- | ---: | ---: | --- |\n| `a` b | ≤ 8 ×, ≤ 25 ms in an hour | 1,234.5 ms | |\n| c | | 22.3 × (11.0 ms) | none |\n',
  );
  assert.equal(measured, '2026-01-02: somewhere.');
  assert.deepEqual(tables, [
    {
      columns: ['wanted', 'one', 'two'],
      rows: [
        { label: '`a` b', cells: [{ sign: '≤', value: 8, unit: '×' }, { value: 1234.5, unit: 'ms' }, null] },
        { label: 'c', cells: [null, { value: 22.3, unit: '×' }, null] },
      ],
    },
  ]);
});

test('every diagram of the pages is drawn, light and dark, and says in words what it shows', () => {
  const pages = join(guide, '..');
  const codes = globSync('**/*.md', { cwd: pages })
    .flatMap((file) => listBlocks(readFileSync(join(pages, file), 'utf8')))
    .filter(({ language }) => language === 'mermaid')
    .map(({ code }) => code);
  assert.ok(codes.length >= 5);
  for (const code of codes) assert.ok(diagramText(code).length > 30, code);
  const wanted = codes.flatMap((code) => (['light', 'dark'] as const).map((theme) => diagramFile(code, theme)));
  const drawn = globSync('*.svg', { cwd: join(pages, diagramFolder) });
  assert.deepEqual(drawn.toSorted(), wanted.toSorted(), 'npm run docs:diagrams');
});
