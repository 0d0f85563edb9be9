import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { describeTypes } from './describeTypes.ts';
import { renderTypes, typesFile } from './renderTypes.ts';

suite('types of QueueScaler', () => {
  test('match the CRD', async () => {
    assert.equal(withoutLayout(await readFile(typesFile, 'utf8')), withoutLayout(await renderTypes()));
  });

  test('mark the fields that the API server may omit as optional', () => {
    const text = describeTypes('Thing', {
      type: 'object',
      description: 'A thing.',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'Name of the thing.' },
        size: { type: 'integer', default: 0 },
        parts: { type: 'array', items: { type: 'object', properties: { kind: { type: 'string', enum: ['A', 'B'] } } } },
      },
    });
    assert.deepEqual(text.split('\n').filter(Boolean), [
      '/** A thing. */',
      'export interface Thing {',
      '  /** Name of the thing. */',
      '  readonly name: string;',
      '  readonly size: number;',
      '  readonly parts?: readonly ThingPart[];',
      '}',
      '/**  */',
      'export interface ThingPart {',
      "  readonly kind?: 'A' | 'B';",
      '}',
    ]);
  });
});

/** Removes whitespace differences, because the formatter changes line breaks. */
const withoutLayout = (text: string): string => text.replaceAll(/\s+/g, ' ');
