import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { parse } from 'yaml';
import { renderChartPages, renderValues } from './chartPages.ts';

const chart = join(import.meta.dirname, '../../charts/hearth');

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

suite("pages with the chart's values", { skip: missingTool('helm-docs') }, () => {
  test('are up to date (else: npm run docs:chart)', () => {
    for (const [path, text] of renderChartPages()) assert.equal(readFileSync(join(chart, '../..', path), 'utf8'), text);
  });

  test('require a comment for each value, except for common names', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-chart-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const render = (values: string): string => {
      writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: hearth\nversion: 1.0.0\n');
      writeFileSync(join(folder, 'values.yaml'), values);
      return renderValues(folder);
    };
    assert.match(render('# All of it.\na:\n  # -- One.\n  odd: [1]\n  size: 1Gi\n'), /`a.size` .* Of the volume/);
    assert.throws(() => render('# All of it.\na:\n  odd: [1]\n'), /a\.odd.* has no comment/);
  });
});

test('values.yaml has a default for every key of the schema, and every map except global is closed', () => {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const resolve = (node: Schema): Schema =>
    node.$ref === undefined ? node : (schema.$defs[node.$ref.split('/').at(-1)!] as Schema);
  let checkedValues = 0;
  const compare = (node: Schema, value: unknown, path: string): void => {
    const { properties, additionalProperties, type } = resolve(node);
    if (properties !== undefined) {
      // Helm passes `global` to every subchart.
      assert.equal(additionalProperties, path === 'values.global' ? undefined : false, path);
      // Pools and resources contain only the keys that they set.
      if (!/\.pools\.|\.resources$|scaling$/.test(path))
        assert.deepEqual(Object.keys(properties).toSorted(), Object.keys(value as object).toSorted(), path);
      for (const [key, each] of Object.entries(value as object)) compare(properties[key]!, each, `${path}.${key}`);
    } else if (path.endsWith('.pools')) {
      for (const [key, each] of Object.entries(value as object))
        compare(additionalProperties as Schema, each, `${path}.${key}`);
    } else if (type !== undefined) checkedValues++;
  };
  compare(schema, parse(readFileSync(join(chart, 'values.yaml'), 'utf8')), 'values');
  assert.ok(checkedValues > 80);
});
