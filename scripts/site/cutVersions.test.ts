import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { cutVersions } from './cutVersions.ts';

/** Creates a checkout with a one-page guide. Version 1.2.3 was tagged before the page and the sidebar changed. */
const makeCheckout = (t: TestContext): string => {
  const root = mkdtempSync(join(tmpdir(), 'hearth-versions-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], { cwd: root });
  write('docs/docs/admin-guide/alerts.md', '# Alerts\n');
  write('docs/docs/images/guide/a-light.webp', 'a picture');
  write('docs/docs/dev-guide/images.md', '# Images\n');
  write(
    'docs/docs/user-guide/a.md',
    'As it was. [1](../admin-guide/alerts.md) [2](../dev-guide/images.md#the-base) [3](../../../LICENSE) [4](../../openapi/1.json)\n',
  );
  write('docs/userGuide.json', '["user-guide/a"]');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message=as it was');
  git('tag', 'v1.2.3');
  write('docs/docs/user-guide/a.md', 'As it is.\n');
  write('docs/userGuide.json', '["user-guide/b"]');
  return root;
};

test('a released version has the pages, pictures and sidebar of its tag, regardless of the current tree', (t) => {
  const root = makeCheckout(t);
  cutVersions(root, ['1.2.3']);
  const version = join(root, 'docs/versioned_docs/version-1.2.3');
  assert.equal(
    readFileSync(join(version, 'user-guide/a.md'), 'utf8'),
    'As it was. [1](../admin-guide/alerts.md) [2](/docs/dev-guide/images#the-base) ' +
      '[3](https://github.com/hearth-photos/hearth/blob/main/LICENSE) [4](/api/)\n',
  );
  assert.ok(existsSync(join(version, 'images/guide/a-light.webp')));
  assert.ok(!existsSync(join(version, 'dev-guide')));
  assert.deepEqual(
    JSON.parse(readFileSync(join(root, 'docs/versioned_sidebars/version-1.2.3-sidebars.json'), 'utf8')),
    { userGuide: ['user-guide/a'] },
  );
});

test('fails for a version without a tag', (t) => {
  const root = makeCheckout(t);
  assert.throws(() => cutVersions(root, ['1.2.4']), /contains 1\.2\.4, but git has no tag v1\.2\.4/);
});

test('removes the files of versions that are no longer listed', (t) => {
  const root = makeCheckout(t);
  cutVersions(root, ['1.2.3']);
  cutVersions(root, []);
  assert.ok(!existsSync(join(root, 'docs/versioned_docs/version-1.2.3')));
});
