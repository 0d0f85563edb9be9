import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '@hearth/core/config/config.ts';
import { readCheckoutCommit } from '@hearth/core/process/checkoutCommit.ts';
import { apiVariables } from './config.ts';
import { testEnvironment } from '@hearth/testkit/api/testApi.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-checkout-test-'));
after(() => rm(folder, { recursive: true }));

const identity = { name: 'Hearth', email: 'hearth@example.org' };
const env = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: identity.name,
  GIT_AUTHOR_EMAIL: identity.email,
  GIT_COMMITTER_NAME: identity.name,
  GIT_COMMITTER_EMAIL: identity.email,
};
const git = (...words: string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { env })
    .toString()
    .trim();

test('finds the commit that git reports: on a branch, packed, detached, and in a worktree', () => {
  assert.equal(readCheckoutCommit(folder), undefined, 'no checkout');
  git('init', '--quiet', '--initial-branch', 'some/branch');
  assert.equal(readCheckoutCommit(folder), undefined, 'no commit');
  for (const message of ['one', 'two']) git('commit', '--quiet', '--allow-empty', '--message', message);
  const [two, one] = [git('rev-parse', 'HEAD'), git('rev-parse', 'HEAD^')];
  assert.equal(readCheckoutCommit(folder), two);
  git('pack-refs', '--all');
  assert.equal(readCheckoutCommit(folder), two, 'packed');
  const worktree = join(folder, 'worktree');
  git('worktree', 'add', '--quiet', '-b', 'other', worktree, one);
  assert.equal(readCheckoutCommit(worktree), one, 'worktree');
  git('pack-refs', '--all');
  assert.equal(readCheckoutCommit(worktree), one, 'packed in a worktree');
  git('checkout', '--quiet', '--detach', one);
  assert.equal(readCheckoutCommit(folder), one, 'detached');
});

const read = (variables: NodeJS.ProcessEnv) => readConfig(apiVariables(variables), variables).gitSha;

test('prefers the configured commit over the one of the checkout', () => {
  const given = testEnvironment('postgres://localhost/hearth', folder);
  assert.equal(read({ ...given, HEARTH_GIT_SHA: '6b3f1c2' }), '6b3f1c2');
  assert.equal(read(given), readCheckoutCommit());
});
