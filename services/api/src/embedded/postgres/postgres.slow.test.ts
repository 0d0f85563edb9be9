import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './postgres.ts';
import { findPostmaster, isAccepting } from './postmasterPidFile.ts';

const password = 'p@ss/word:?#%';

/** Servers started by the current test. */
const started: EmbeddedPostgres[] = [];

/** Returns a path for a database directory that needs quoting in a shell. Stops its servers after the test. */
const makeDatabasePath = async (t: TestContext): Promise<string> => {
  const parent = await mkdtemp(join(getFastFolder(), 'hearth "$HOME" é-'));
  t.after(async () => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
    await rm(parent, { recursive: true, force: true, maxRetries: 3 });
  });
  return join(parent, 'data', 'postgres');
};

const start = async (directory: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ directory, password, isThrowaway: true, ...options });
  started.push(server);
  return server;
};

/** Starts the server in its own process, which prints the server's pid and URL. */
const startInChild = async (
  t: TestContext,
  directory: string,
): Promise<{ owner: ChildProcess; serverPid: number; url: string; applicationUrl: string }> => {
  const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('postgres.ts', import.meta.url).href)};
    const server = await startEmbeddedPostgres({ directory: process.argv[1], password: process.argv[2], isThrowaway: true });
    console.log(server.pid + ' ' + server.administratorUrl() + ' ' + server.url());
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', source, directory, password], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => owner.kill('SIGKILL'));
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const [serverPid, url, applicationUrl] = line.toString().trim().split(' ');
  return { owner, serverPid: Number(serverPid), url: url!, applicationUrl: applicationUrl! };
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const isReachable = (url: string): Promise<boolean> =>
  queryOnce(url, 'select 1').then(
    () => true,
    () => false,
  );

test('creates a durable database that listens only on localhost and folds accented letters', async (t) => {
  const directory = await makeDatabasePath(t);
  const progress: string[] = [];
  const first = await start(directory, { onProgress: (message) => progress.push(message), isThrowaway: false });
  assert.deepEqual(progress, ['creating the database', 'starting the database']);
  assert.deepEqual(
    await queryOnce(
      first.administratorUrl(),
      `select lower('ÀÉ') as folded, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`,
    ),
    [{ folded: 'àé', fsync: 'on', commit: 'on', addresses: '127.0.0.1', sockets: '' }],
  );
  await queryOnce(first.url(), 'create table kept as select 1 as id');
  await first.stop();
  assert.equal(isAlive(first.pid), false);
  const second = await start(directory);
  assert.deepEqual(await queryOnce(second.url(), 'select id from kept'), [{ id: 1 }]);
});

test('rejects a wrong password', async (t) => {
  const server = await start(await makeDatabasePath(t));
  const url = new URL(server.url());
  url.password = 'wrong';
  await assert.rejects(queryOnce(url.href, 'select 1'), /password authentication failed/);
});

test('restarts a server after SIGKILL on the same port, repeatedly', async (t) => {
  const problems: string[] = [];
  const server = await start(await makeDatabasePath(t), { onTrouble: (message) => problems.push(message) });
  const url = server.url();
  await queryOnce(url, 'create table kept as select 1 as id');
  for (let kills = 0; kills < 3; kills += 1) {
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    await waitUntil('another server runs', () => server.pid !== killed);
    await waitUntil('the server accepts queries', () => isReachable(url));
    assert.equal(server.url(), url);
  }
  assert.ok(problems.includes('database stopped unexpectedly; restarting it'));
  assert.deepEqual(await queryOnce(url, 'select id from kept'), [{ id: 1 }]);
});

test('restarts a server that is killed as soon as it accepts connections', async (t) => {
  const directory = await makeDatabasePath(t);
  await (await start(directory)).stop();
  const starting = start(directory);
  let killed: number | undefined;
  // As fast as possible: the rest of the start takes only about ten milliseconds.
  while (killed === undefined) {
    const pid = (await findPostmaster(directory))?.pid;
    if (pid !== undefined && (await isAccepting(directory, pid)) && process.kill(pid, 'SIGKILL')) killed = pid;
    await nextTurn();
  }
  const server = await starting;
  // If the kill came late, the start had just finished.
  await waitUntil('another server runs', () => server.pid !== killed);
  await waitUntil('it accepts queries', () => isReachable(server.url()));
});

test('restarts a killed server as soon as a running statement of the old one has ended', async (t) => {
  const problems: unknown[] = [];
  const server = await start(await makeDatabasePath(t), {
    onTrouble: (message, error) => problems.push(error ?? message),
  });
  // A loop that neither waits nor sends data: a backend that does either would notice that the server is dead.
  const loop = `do $$ begin while clock_timestamp() < now() + interval '10 minutes' loop end loop; end $$`;
  const busy = queryOnce(server.url(), loop).catch(() => undefined);
  const findLoop = async (): Promise<number | undefined> =>
    (await queryOnce<{ pid: number }>(server.url(), 'select pid from pg_stat_activity where query = $1', [loop]))[0]
      ?.pid;
  let loopPid: number | undefined;
  while (loopPid === undefined) loopPid = await findLoop();
  const endLoop = (): unknown => isAlive(loopPid) && process.kill(loopPid, 'SIGKILL');
  t.after(endLoop);
  const killed = server.pid;
  process.kill(killed, 'SIGKILL');
  await waitUntil("the restart fails because the old server's memory is in use", () =>
    problems.some((problem) => /shared memory block/.test(String(problem))),
  );
  endLoop();
  await waitUntil('another server runs', () => server.pid !== killed);
  await waitUntil('the server accepts queries', () => isReachable(server.url()));
  await busy;
});

test('stop also ends a server that is being restarted', async (t) => {
  const directory = await makeDatabasePath(t);
  const problems: string[] = [];
  const server = await start(directory, { onTrouble: (message) => problems.push(message) });
  process.kill(server.pid, 'SIGKILL');
  await waitUntil('the start begins', () => problems.includes('database stopped unexpectedly; restarting it'));
  await server.stop();
  assert.equal(isAlive(server.pid), false);
  assert.equal(await isReachable(server.url()), false);
  // The killed server leaves this file behind unless the restart had begun.
  const written = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  assert.ok(written === '' || !isAlive(Number.parseInt(written, 10)), 'no starting server is left');
});

test('stops a server left behind by a killed owner, then starts with the same data', async (t) => {
  const directory = await makeDatabasePath(t);
  const { owner, url, applicationUrl } = await startInChild(t, directory);
  await queryOnce(applicationUrl, 'create table kept as select 1 as id');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  assert.equal(await isReachable(url), true);
  const progress: string[] = [];
  const server = await start(directory, { onProgress: (message) => progress.push(message) });
  assert.deepEqual(progress, ['starting the database', 'stopping the database that was left running']);
  assert.equal(await isReachable(url), false);
  assert.deepEqual(await queryOnce(server.url(), 'select id from kept'), [{ id: 1 }]);
});

test('starts although a previous owner was killed during its start', async (t) => {
  const directory = await makeDatabasePath(t);
  await (await start(directory)).stop();
  const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('postgres.ts', import.meta.url).href)};
    await startEmbeddedPostgres({ directory: process.argv[1], password: 'x', onProgress: console.log });`;
  for (const afterMs of [0, 10, 20, 40]) {
    const owner = spawn(process.execPath, ['--input-type=module', '-e', source, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    await delay(afterMs);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const server = await start(directory);
    assert.equal(await isReachable(server.url()), true);
    await server.stop();
  }
});

test('restarts after server and owner were killed together', async (t) => {
  const directory = await makeDatabasePath(t);
  const { owner, serverPid } = await startInChild(t, directory);
  owner.kill('SIGKILL');
  process.kill(serverPid, 'SIGKILL');
  const server = await start(directory);
  assert.equal(await isReachable(server.url()), true);
});

test('ignores a stale pid file whose pid now belongs to another process', async (t) => {
  const directory = await makeDatabasePath(t);
  const first = await startInChild(t, directory);
  const pidFile = join(directory, 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8');
  first.owner.kill('SIGKILL');
  process.kill(first.serverPid, 'SIGKILL');
  const bystander = spawn('sleep', ['600']);
  t.after(() => bystander.kill());
  await writeFile(pidFile, content.replace(String(first.serverPid), String(bystander.pid)));
  const server = await start(directory);
  assert.equal(await isReachable(server.url()), true);
  assert.equal(bystander.exitCode ?? bystander.signalCode, null);
});

test('Ctrl-C reaches the owner but not the server', async (t) => {
  const { owner, serverPid, url } = await startInChild(t, await makeDatabasePath(t));
  const getProcessGroup = async (pid: number) =>
    (await queryOnce<{ stat: string }>(url, `select pg_read_file('/proc/${pid}/stat') as stat`))[0]!.stat.split(' ')[4];
  if (process.platform === 'linux') assert.equal(await getProcessGroup(serverPid), String(serverPid));
  owner.kill('SIGINT');
  await once(owner, 'exit');
  assert.equal(await isReachable(url), true);
  process.kill(serverPid, 'SIGINT');
  await waitUntil('the server has ended', async () => !(await isReachable(url)));
});

test('restarts an interrupted creation of the database', async (t) => {
  const directory = await makeDatabasePath(t);
  const parent = join(directory, '..');
  const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('postgres.ts', import.meta.url).href)};
    await startEmbeddedPostgres({ directory: process.argv[1], password: 'x' });`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', source, directory], { stdio: 'ignore' });
  const listUnfinished = async (): Promise<string[]> => {
    const [folder = ''] = await readdir(parent);
    return readdir(join(parent, folder, 'database'));
  };
  await waitUntil('initdb writes', async () => (await listUnfinished().catch(() => [])).length > 0);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  assert.deepEqual(
    (await readdir(parent)).map((name) => name.replace(/-.*/, '')),
    ['postgres.unfinished'],
  );
  const server = await start(directory);
  assert.equal(await isReachable(server.url()), true);
  assert.deepEqual(await readdir(parent), ['postgres']);
});

test('does not change a folder with other content', async (t) => {
  const directory = await makeDatabasePath(t);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'photo.jpg'), '');
  await assert.rejects(start(directory), /is not a database directory and is not empty/);
  await writeFile(join(directory, 'PG_VERSION'), '9.6\n');
  await assert.rejects(start(directory), /was created by PostgreSQL 9\.6/);
  assert.deepEqual((await readdir(directory)).toSorted(), ['PG_VERSION', 'photo.jpg']);
});
