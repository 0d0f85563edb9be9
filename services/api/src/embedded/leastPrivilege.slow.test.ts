import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';

test('npm start passes no secret of the API to its worker, and warns when started as root', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-privilege-test-'));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  const secrets = {
    HEARTH_ADMIN_PASSWORD: 'the password of the keeper',
    HEARTH_TOKEN_SECRET: 'a token secret for tests, long enough',
    HEARTH_LINK_SECRET: 'a link secret for tests, long enough too',
    AWS_SECRET_ACCESS_KEY: 'a secret of somebody else',
  };
  const settings = {
    ...compileCache,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HEARTH_DATA_DIR: join(directory, 'data'),
    HEARTH_PORT: String(await findFreePort()),
    HEARTH_METRICS_PORT: '0',
    HEARTH_TIMEZONE: 'Asia/Kathmandu',
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...settings, ...secrets },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes('Ctrl-C')) break;
  }
  child.stdout.resume();
  assert.equal(
    lines.some((line) => line.includes('WARNING: running as root')),
    process.getuid?.() === 0,
  );
  const environment = await environmentOfWorker(child.pid!);
  for (const secret of Object.values(secrets)) assert.ok(!environment.includes(secret), secret);
  for (const variable of ['HEARTH_TIMEZONE=Asia/Kathmandu', 'HEARTH_WORKER_NAME=embedded']) {
    assert.ok(environment.split('\0').includes(variable), variable);
  }
});

/** Environment of a process's worker, as reported by the kernel. */
const environmentOfWorker = async (parent: number): Promise<string> => {
  let found = '';
  await waitUntil('the worker has started', async () => {
    const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8');
    for (const pid of children.trim().split(' ')) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (command.includes('worker/src/main.ts')) found = environment;
    }
    return found !== '';
  });
  return found;
};
