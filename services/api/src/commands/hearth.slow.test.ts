import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/hearth', import.meta.url));
const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
const hearth = (args: readonly string[], path = program) => spawnSync(path, args, { env, encoding: 'utf8', cwd: '/' });

test('lists its commands', () => {
  const { status, stdout } = hearth([]);
  assert.equal(status, 0);
  for (const command of ['api', 'migrate', 'verify', 'orphans', 'password'])
    assert.match(stdout, new RegExp(`^  ${command}\\b`, 'm'));
});

test('rejects an unknown command', () => {
  const { status, stderr } = hearth(['verfy']);
  assert.equal(status, 2);
  assert.match(stderr, /unknown command "verfy"/);
});

test('runs each command from any folder, also through a symlink on the PATH', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-bin-'));
  const link = join(folder, 'hearth');
  await symlink(program, link);
  for (const [command, purpose] of [
    ['api', /HEARTH_PORT/],
    ['migrate', /HEARTH_DATABASE_URL/],
    ['verify', /--sample/],
    ['orphans', /--adopt/],
    ['password', /USERNAME/],
  ] as const) {
    const { status, stdout, stderr } = hearth([command, '--help'], link);
    assert.equal(status, 0, stderr);
    assert.match(stdout, purpose);
  }
  await rm(folder, { recursive: true });
});
