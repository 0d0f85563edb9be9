import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { commandAs, findAccount } from '@hearth/api/embedded/postgres/account.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';

const scripts = join(import.meta.dirname, '../files/postgres');

/** A value that breaks unescaped SQL and shell commands. */
const password = `it's "a" $password`;

/** Creates the volume and the Secret files of the init container. */
const createVolume = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-prepare-'));
  t.after(() => rm(folder, { recursive: true, maxRetries: 5 }));
  const account = findAccount(folder);
  const passwords = join(folder, 'passwords');
  await mkdir(passwords);
  await writeFile(join(passwords, 'superuser-password'), 'of the superuser');
  await writeFile(join(passwords, 'password'), password);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const directory = join(folder, '18', 'docker');
  const env = {
    PATH: `${join(folder, 'programs')}:${toolPath('postgres-pgvector')}:${process.env['PATH']}`,
    PGDATA: directory,
    PASSWORDS: passwords,
    LOCK: join(folder, 'lock'),
    LC_ALL: 'C',
  };
  /** Starts a script in its own process group. */
  const start = (script = 'prepare.sh', ...options: readonly string[]) => {
    const [command, args] = commandAs(account, '/usr/bin/env', ['bash', join(scripts, script), ...options]);
    return spawn(command, args, { env, detached: true, stdio: 'ignore' });
  };
  return {
    directory,
    programs: join(folder, 'programs'),
    start,
    prepare: async (): Promise<number> => ((await once(start(), 'exit')) as [number])[0],
    run: async (program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const [command, all] = commandAs(account, join(toolPath('postgres-pgvector'), program), args);
      return (await promisify(execFile)(command, all, { env: { ...env, ...more } })).stdout.trim();
    },
  };
};

/** Waits until a file exists. The test timeout limits the wait. */
const waitForFile = async (path: string): Promise<void> => {
  while (!existsSync(path)) await delay(2);
};

suite('PostgreSQL files', { skip: missingTool('postgres-pgvector') }, () => {
  test(
    'contain a role without superuser rights, its database and pgvector, created once',
    { timeout: 120_000 },
    async (t) => {
      const { directory, prepare, run } = await createVolume(t);
      assert.equal(await prepare(), 0);
      assert.ok(!existsSync(`${directory}.unfinished`));
      const sockets = join(directory, '..');
      await run('pg_ctl', [
        `--pgdata=${directory}`,
        '--wait',
        `--log=${directory}.log`,
        `--options=-c listen_addresses='' -c unix_socket_directories='${sockets}'`,
        'start',
      ]);
      const query = `select rolsuper, (select pg_get_userbyid(datdba) from pg_database where datname = current_database()),
      (select count(*) from pg_extension where extname = 'vector') from pg_roles where rolname = current_user`;
      const row = await run(
        'psql',
        [`--host=${sockets}`, '--username=hearth', '--no-align', '--tuples-only', `--command=${query}`, 'hearth'],
        { PGPASSWORD: password },
      );
      await run('pg_ctl', [`--pgdata=${directory}`, '--wait', '--mode=fast', 'stop']);
      assert.equal(row, 'f|hearth|1');
      assert.match(await readFile(join(directory, 'pg_hba.conf'), 'utf8'), /^host all all all scram-sha-256$/m);
      const { ino } = await stat(join(directory, 'PG_VERSION'));
      assert.equal(await prepare(), 0);
      assert.equal((await stat(join(directory, 'PG_VERSION'))).ino, ino);
    },
  );

  // initdb does not write the second file; the server that creates the role does.
  for (const moment of ['PG_VERSION', 'postmaster.opts'])
    test(`are missing after a kill at ${moment}, and complete after the next run`, { timeout: 120_000 }, async (t) => {
      const { directory, start, prepare } = await createVolume(t);
      const child = start();
      const exited = once(child, 'exit');
      const file = join(`${directory}.unfinished`, moment);
      await waitForFile(file);
      process.kill(-child.pid!, 'SIGKILL');
      await exited;
      // The server has left the process group. In a container it would be gone.
      const pid = Number.parseInt(
        await readFile(join(`${directory}.unfinished`, 'postmaster.pid'), 'utf8').catch(() => ''),
        10,
      );
      if (pid > 0) process.kill(pid, 'SIGKILL');
      assert.ok(!existsSync(directory));
      assert.equal(await prepare(), 0);
      assert.ok(existsSync(join(directory, 'PG_VERSION')));
      assert.ok(!existsSync(`${directory}.unfinished`));
    });

  test(
    'are used by one server at a time: the next one waits until the last process of the first has exited',
    { timeout: 120_000 },
    async (t) => {
      const { directory, programs, prepare, start } = await createVolume(t);
      assert.equal(await prepare(), 0);
      // Stub of the image's entry point, which execs the server.
      await mkdir(programs);
      await writeFile(join(programs, 'docker-entrypoint.sh'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
      const serve = () =>
        start('serve.sh', 'postgres', '-c', 'listen_addresses=', '-c', `unix_socket_directories=${directory}`);
      const pidFile = join(directory, 'postmaster.pid');
      const first = serve();
      t.after(() => first.kill('SIGKILL'));
      await waitForFile(pidFile);
      // Without the pid file, the second server cannot detect the first, as in another container.
      await rm(pidFile);
      const second = serve();
      t.after(() => second.kill('SIGKILL'));
      await delay(1_000);
      assert.ok(!existsSync(pidFile), 'two servers use the same files');
      const exited = once(first, 'exit');
      first.kill('SIGINT');
      await exited;
      await waitForFile(pidFile);
      const ended = once(second, 'exit');
      second.kill('SIGINT');
      await ended;
    },
  );
});
