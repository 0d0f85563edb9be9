import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderScenario } from './helm.ts';
import { immutableFields } from './immutableFields.ts';

const file = join(import.meta.dirname, 'immutableFields.json');

test(
  'immutable fields are those of the last release (HEARTH_KEEP_FIELDS=1 adds new objects)',
  { skip: missingTool('helm') },
  () => {
    const current = immutableFields(renderScenario('default'));
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
    if (process.env['HEARTH_KEEP_FIELDS'] === '1') {
      // Keeps existing entries. Remove outdated ones by hand.
      writeFileSync(file, `${JSON.stringify({ ...current, ...stored }, undefined, 2)}\n`);
      return;
    }
    assert.ok(Object.keys(stored).length > 0);
    assert.deepEqual(current, stored);
  },
);
