import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';

process.chdir(join(import.meta.dirname, '..'));

/** Names that towncrier.toml allows. Tested here too, because a contributor may not have towncrier. */
const fragmentName = /^(?:\d+|\+[\w-]+)\.(?:security|change|feature|fix)\.md$/;

test('changelog fragments have a valid name, and text without headings', () => {
  for (const path of globSync('docs/changelog/*', { exclude: ['docs/changelog/README.md'] })) {
    const name = path.split(/[\\/]/).at(-1)!;
    assert.match(name, fragmentName, 'see docs/changelog/README.md');
    assert.match(readFileSync(path, 'utf8'), /^[^#\s]/, path);
  }
});

/** Copies the changelog with its fragments into a temporary folder. */
const copyChangelog = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-changelog-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['CHANGELOG.md', 'towncrier.toml', 'docs/changelog'])
    cpSync(name, join(folder, name), { recursive: true });
  return folder;
};

suite('towncrier', { skip: missingTool('towncrier') }, () => {
  test('puts a release with all fragments above the earlier ones', (t) => {
    const folder = copyChangelog(t);
    const fragments = join(folder, 'docs/changelog');
    writeFileSync(join(fragments, '12.feature.md'), 'Albums can be sorted.\n');
    writeFileSync(join(fragments, '+lists.fix.md'), 'Long lists load.\n');
    execFileSync(toolPath('towncrier'), ['build', '--yes', '--version=99.0.0', '--date=2030-01-02'], { cwd: folder });
    const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
    assert.match(changelog, /-->\n\n## 99\.0\.0 \(2030-01-02\)\n/);
    assert.match(changelog, /\n- Albums can be sorted\. \(\[#12]\(\S+\/issues\/12\)\)\n/);
    assert.match(changelog, /\n- Long lists load\.\n/);
    assert.ok(changelog.indexOf('99.0.0') < changelog.indexOf('## 0.1.0'));
    assert.deepEqual(readdirSync(fragments), ['README.md']);
  });

  for (const name of ['lists.md', 'lists.fix.md', '12.bug.md'])
    test(`rejects a fragment called ${name}`, (t) => {
      const folder = copyChangelog(t);
      writeFileSync(join(folder, 'docs/changelog', name), 'Long lists load.\n');
      const { status } = spawnSync(toolPath('towncrier'), ['build', '--draft', '--version=99.0.0'], { cwd: folder });
      assert.equal(status, 1);
      assert.doesNotMatch(name, fragmentName);
    });
});
