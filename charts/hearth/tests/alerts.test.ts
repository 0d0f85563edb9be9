import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool, toolPath } from '@hearth/core/testing/tools.ts';
import { chart } from './helm.ts';

const promtool = (...args: readonly string[]): { readonly isDone: boolean; readonly said: string } => {
  const { status, stdout, stderr } = spawnSync(join(toolPath('prometheus'), 'promtool'), args, { encoding: 'utf8' });
  return { isDone: status === 0, said: stdout + stderr };
};

suite('the rules of Prometheus', { skip: missingTool('prometheus') }, () => {
  test('are valid, and no two record or alert the same', () => {
    const files = globSync('files/rules/*/*.yaml', { cwd: chart }).map((file) => join(chart, file));
    assert.ok(files.length > 20);
    const { isDone, said } = promtool('check', 'rules', '--lint=all', '--lint-fatal', ...files);
    assert.ok(isDone, said);
  });

  test('fire and are silent as tests/alerts says', () => {
    const files = globSync('tests/alerts/*.yaml', { cwd: chart }).map((file) => join(chart, file));
    assert.ok(files.length > 15);
    const { isDone, said } = promtool('test', 'rules', ...files);
    assert.ok(isDone, said);
    assert.equal(said.match(/^ {2}SUCCESS$/gm)?.length, files.length);
  });
});
