import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { chart } from './helm.ts';

const promtool = (...args: readonly string[]): { readonly isOk: boolean; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(join(toolPath('prometheus'), 'promtool'), args, { encoding: 'utf8' });
  return { isOk: status === 0, output: stdout + stderr };
};

suite('Prometheus rules', { skip: missingTool('prometheus') }, () => {
  test('are valid, without duplicate recordings or alerts', () => {
    const files = globSync('files/rules/*/*.yaml', { cwd: chart }).map((file) => join(chart, file));
    assert.ok(files.length > 0);
    const { isOk, output } = promtool('check', 'rules', '--lint=all', '--lint-fatal', ...files);
    assert.ok(isOk, output);
  });

  test('fire and stay silent as specified in tests/alerts', () => {
    const files = globSync('tests/alerts/*.yaml', { cwd: chart }).map((file) => join(chart, file));
    assert.ok(files.length > 0);
    const { isOk, output } = promtool('test', 'rules', ...files);
    assert.ok(isOk, output);
    assert.equal(output.match(/^ {2}SUCCESS$/gm)?.length, files.length);
  });

  test('are found by Prometheus with the configuration of user-guide/monitoring.md', async (t) => {
    const root = join(chart, '../..');
    const text = readFileSync(join(root, 'docs/docs/user-guide/monitoring.md'), 'utf8');
    const [, snippet] = /^```yaml\n(rule_files:[^`]*)```$/m.exec(text) ?? assert.fail('no configuration on the page');
    const folder = await mkdtemp(join(tmpdir(), 'hearth-prometheus-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'prometheus.yml'), snippet!.replaceAll('/path/to/hearth', root));
    const { isOk, output } = promtool('check', 'config', join(folder, 'prometheus.yml'));
    assert.ok(isOk, output);
    const files = globSync('files/rules/*/*.yaml', { cwd: chart });
    assert.match(output, new RegExp(`SUCCESS: ${files.length} rule files found`));
  });
});
