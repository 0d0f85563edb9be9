import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { readmePath, renderReadme, upgradePath, valuesPath } from './readme.ts';
import { renderValuesPage, valuesPagePath } from './valuesPage.ts';
import { listValues } from './valuesTable.ts';

const values = readFileSync(valuesPath, 'utf8');

/** A node of values.schema.json. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

suite('the values of the chart', () => {
  test('are all in the table of README.md (else: npm run docs:chart)', () => {
    const readme = readFileSync(readmePath, 'utf8');
    assert.equal(renderReadme(readme, values), readme);
    const paths = listValues(values).flatMap(({ rows }) => rows.map(({ path }) => path));
    assert.ok(paths.length > 100);
    assert.deepEqual(paths, [...new Set(paths)]);
  });

  test('are all on the page of the user guide, with what one has to know of the chart (else: npm run docs:chart)', () => {
    const [readme, upgrade, text] = [readmePath, upgradePath, valuesPagePath].map((path) => readFileSync(path, 'utf8'));
    assert.equal(renderValuesPage({ readme: readme!, upgrade: upgrade!, values }), text);
    for (const { path } of listValues(values).flatMap(({ rows }) => rows))
      assert.ok(text!.includes(`\`${path}\``), path);
    for (const chapter of ['The way in', 'Removing it', 'What cannot be changed by an upgrade'])
      assert.ok(text!.includes(`\n## ${chapter}\n`), chapter);
    assert.throws(() => renderValuesPage({ readme: '# Hearth\n', upgrade: upgrade!, values }), /no chapter “What is/);
  });

  test('are those that the schema knows: every key has a default, and every map but global is closed', () => {
    const schema = JSON.parse(readFileSync(join(valuesPath, '../values.schema.json'), 'utf8'));
    const resolve = (node: Schema): Schema =>
      node.$ref === undefined ? node : (schema.$defs[node.$ref.split('/').at(-1)!] as Schema);
    let known = 0;
    const compare = (node: Schema, value: unknown, path: string): void => {
      const { properties, additionalProperties, type } = resolve(node);
      if (properties !== undefined) {
        // Helm hands `global` to every chart below a parent chart.
        assert.equal(additionalProperties, path === 'values.global' ? undefined : false, path);
        // A pool and resources say only what they have.
        if (!/\.pools\.|\.resources$|scaling$/.test(path))
          assert.deepEqual(Object.keys(properties).toSorted(), Object.keys(value as object).toSorted(), path);
        for (const [key, each] of Object.entries(value as object)) compare(properties[key]!, each, `${path}.${key}`);
      } else if (path.endsWith('.pools')) {
        for (const [key, each] of Object.entries(value as object))
          compare(additionalProperties as Schema, each, `${path}.${key}`);
      } else if (type !== undefined) known++;
    };
    compare(schema, parse(values), 'values');
    assert.ok(known > 80);
  });

  test('a key without a comment is refused, unless its name is a usual one', () => {
    assert.throws(() => listValues('# All of it.\na:\n  odd: 1\n'), /a\.odd has no comment/);
    assert.deepEqual(listValues('# All of it.\na:\n  # Two words,\n  # on two lines.\n  odd: [1]\n  size: 1Gi\n'), [
      {
        name: 'a',
        description: 'All of it.',
        rows: [
          { path: 'a.odd', default: '[1]', description: 'Two words, on two lines.' },
          { path: 'a.size', default: "'1Gi'", description: 'Of the volume.' },
        ],
      },
    ]);
  });
});
