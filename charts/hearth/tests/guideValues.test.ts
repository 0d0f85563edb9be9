import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { listBlocks, readPages } from '@hearth/testkit/run/guidePages.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderText } from './helm.ts';

suite('chart values in the user guide render', { skip: missingTool('helm') }, () => {
  for (const { id, text } of readPages('user-guide'))
    for (const { code, attributes } of listBlocks(text).filter(({ language }) => language === 'yaml')) {
      if (attributes['values'] !== true) continue;
      test(`${id}: ${code.split('\n', 1)[0]}`, () => {
        const folder = mkdtempSync(join(tmpdir(), 'hearth-guide-values-'));
        try {
          const file = join(folder, 'values.yaml');
          writeFileSync(file, code);
          assert.match(renderText(file), /kind: Deployment/);
        } finally {
          rmSync(folder, { recursive: true });
        }
      });
    }
});
