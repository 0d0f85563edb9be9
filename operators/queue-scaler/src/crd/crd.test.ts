import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { describeTypes } from './describeTypes.ts';
import { renderTypes, typesFile } from './renderTypes.ts';

suite('the types of QueueScaler', () => {
  test('are those of the CRD', async () => {
    assert.equal(withoutLayout(await readFile(typesFile, 'utf8')), withoutLayout(await renderTypes()));
  });

  test('say of each field whether the API server answers it', () => {
    const text = describeTypes('Thing', {
      type: 'object',
      description: 'A thing.',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'Of the thing.' },
        size: { type: 'integer', default: 0 },
        parts: { type: 'array', items: { type: 'object', properties: { kind: { type: 'string', enum: ['A', 'B'] } } } },
      },
    });
    assert.deepEqual(text.split('\n').filter(Boolean), [
      '/** A thing. */',
      'export interface Thing {',
      '  /** Of the thing. */',
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

/** The formatter has its own mind about empty lines and breaks. */
const withoutLayout = (text: string): string => text.replaceAll(/\s+/g, ' ');
