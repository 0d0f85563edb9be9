import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderText } from '../../charts/hearth/tests/helm.ts';
import { listBlocks, readPages } from './pages.ts';

const examples = readPages('user-guide').flatMap(({ id, text }) =>
  listBlocks(text)
    .filter(({ language, attributes }) => language === 'yaml' && attributes['values'] === true)
    .map(({ code }) => ({ id, code })),
);

suite('values of the chart in the user guide', { skip: missingTool('helm') }, () => {
  for (const [index, { id, code }] of examples.entries())
    test(`${id}, ${index + 1}: ${code.split('\n', 1)[0]}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'hearth-guide-values-'));
      try {
        const file = join(folder, 'values.yaml');
        writeFileSync(file, code);
        assert.match(renderText(file), /kind: Deployment/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

  test('there are some', () => assert.ok(examples.length >= 12));
});
