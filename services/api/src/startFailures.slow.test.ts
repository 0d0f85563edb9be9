import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, suite, test, type TestContext } from 'node:test';
import { migrate } from '@hearth/core/db/migrate.ts';
import { createTestDatabase, queryOnce } from '@hearth/testkit/database/postgres.ts';
import { placesFileVariable } from '@hearth/testkit/libraries/placesFile.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { testEnvironment } from '@hearth/testkit/api/testApi.ts';

const programs = {
  'npm start': join(import.meta.dirname, 'embedded', 'main.ts'),
  'the API': join(import.meta.dirname, 'main.ts'),
  'the migrate job': join(import.meta.dirname, 'commands/migrate.ts'),
  'the worker': join(import.meta.dirname, '..', '..', 'worker', 'src', 'main.ts'),
} as const;

/** A start that must fail. */
interface BrokenStart {
  readonly program: keyof typeof programs;
  readonly variables: Readonly<Record<string, string>>;
  /** Printed cause and fix. */
  readonly prints: RegExp;
  /** The program waits for the server instead of exiting. */
  readonly waits?: boolean;
}

const directory = await mkdtemp(join(getFastFolder(), 'hearth-start-failures-'));
const [database, edited, occupied] = await Promise.all([
  createTestDatabase(),
  createTestDatabase(),
  createTestDatabase(),
]);
await Promise.all([migrate(database.url), migrate(edited.url)]);
await queryOnce(edited.url, `update applied_migrations set sha256 = 'another' where name like '0011%'`);
await queryOnce(occupied.url, 'create table users ()');
await writeFile(join(directory, 'file'), '');
const holder = createServer().listen(0, '127.0.0.1');
await once(holder, 'listening');
const { port: takenPort } = holder.address() as AddressInfo;
after(async () => {
  holder.close();
  await Promise.all([database, edited, occupied].map((each) => each.drop()));
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const change = (url: string, changes: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
  Object.assign(new URL(url), changes).href;
const refused = change(database.url, { username: 'nobody', password: 'wrong' });
const closed = '127.0.0.1:1';
const below = join(directory, 'file', 'data');

const cases: Readonly<Record<string, BrokenStart>> = {
  'a port in use': {
    program: 'npm start',
    variables: { HEARTH_PORT: String(takenPort) },
    prints: new RegExp(`port ${takenPort} is used by another program: .*HEARTH_PORT`),
  },
  'a file in place of the data folder': {
    program: 'npm start',
    variables: { HEARTH_DATA_DIR: below },
    prints: /not a directory.*a folder is needed: move the file/,
  },
  'a data folder without write permission': {
    program: 'npm start',
    variables: { HEARTH_DATA_DIR: '/sys/hearth' },
    prints: /permission denied for \/sys\/hearth: .*HEARTH_DATA_DIR/,
  },
  'an object store without write permission': {
    program: 'the API',
    variables: { HEARTH_DATA_DIR: '/sys/hearth' },
    prints: /could not start the API: open object store .*permission denied.*HEARTH_DATA_DIR/,
  },
  'a scratch folder that cannot be created': {
    program: 'the worker',
    variables: { HEARTH_DATA_DIR: below },
    prints: /could not start the worker: .*a folder is needed/,
  },
  'a user that the database refuses': {
    program: 'npm start',
    variables: { HEARTH_DATABASE_URL: refused },
    prints: /Hearth cannot start: .*authentication failed.*correct HEARTH_DATABASE_URL/,
  },
  'a password that the database refuses': {
    program: 'the migrate job',
    variables: { HEARTH_DATABASE_URL: refused },
    prints: /database migration failed: .*authentication failed.*correct HEARTH_DATABASE_URL/,
  },
  'a database that does not exist': {
    program: 'the API',
    variables: { HEARTH_DATABASE_URL: change(database.url, { pathname: '/nowhere' }) },
    prints: /could not start the API: database .*nowhere.* does not exist.*create the database/,
  },
  'a database that is down': {
    program: 'the API',
    variables: { HEARTH_DATABASE_URL: `postgres://hearth@${closed}/hearth` },
    prints:
      /applying database migrations failed, retrying: connect ECONNREFUSED 127.0.0.1:1; check that the server runs/,
    waits: true,
  },
  'a migration that fails': {
    program: 'the migrate job',
    variables: { HEARTH_DATABASE_URL: occupied.url },
    prints: /migration 0001_accounts failed: relation .*users.* already exists/,
  },
  'a migration that was edited, in the API': {
    program: 'the API',
    variables: { HEARTH_DATABASE_URL: edited.url },
    prints: /could not start the API: the database was created by Hearth .*0011_map.*--adopt/,
  },
  'a migration that was edited, in the worker': {
    program: 'the worker',
    variables: { HEARTH_DATABASE_URL: edited.url },
    prints: /cannot use this database: the database was created by Hearth .*0011_map.*--adopt/,
  },
  'a Redis that is down': {
    program: 'the worker',
    variables: { HEARTH_REDIS_URL: `redis://${closed}/0` },
    prints: /cannot use Redis for the queue: connect ECONNREFUSED 127.0.0.1:1; check that the server runs/,
    waits: true,
  },
};

/** Starts the program. Returns its output once it matches or the program has exited, and the exit code if it has. */
const start = async ({ program, variables, prints, waits = false }: BrokenStart, signal: AbortSignal) => {
  const child = spawn(process.execPath, [programs[program]], {
    signal,
    killSignal: 'SIGKILL',
    env: {
      ...testEnvironment(database.url, join(directory, 'data')),
      ...placesFileVariable(),
      HEARTH_PORT: '0',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Emitted if the test times out, which fails it anyway.
  child.on('error', () => undefined);
  const ended = once(child, 'close');
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (waits && prints.test(printed)) child.kill('SIGKILL');
    });
  await ended;
  return { printed, exitCode: child.exitCode };
};

const check = async ({ signal }: TestContext, broken: BrokenStart): Promise<void> => {
  const { printed, exitCode } = await start(broken, signal);
  assert.match(printed, broken.prints);
  assert.equal(exitCode, broken.waits === true ? null : 1);
};

for (const [name, broken] of Object.entries(cases))
  test(`${broken.program} prints the cause and the fix: ${name}`, (t) => check(t, broken));

suite('servers that reject the credentials', { skip: missingTool('redis-server', 'versitygw') }, () => {
  test('the worker prints that Redis rejects the password', async (t) => {
    const redis = await startTestRedis({ args: ['--requirepass', 'the right one'] });
    const HEARTH_REDIS_URL = change(redis.url, { password: 'wrong' });
    const prints = /cannot use Redis for the queue: WRONGPASS.*correct the user and the password in HEARTH_REDIS_URL/;
    await check(t, { program: 'the worker', variables: { HEARTH_REDIS_URL }, prints, waits: true });
    await redis.stop();
  });

  test('the API prints that S3 rejects the keys', async (t) => {
    const s3 = await startTestS3();
    const variables = {
      HEARTH_S3_ENDPOINT: s3.endpoint,
      HEARTH_S3_BUCKET: 'photos',
      HEARTH_S3_ACCESS_KEY: s3.accessKey,
      HEARTH_S3_SECRET_KEY: 'a wrong secret key',
    };
    const prints =
      /checking the object store failed, retrying: .*correct HEARTH_S3_ACCESS_KEY and HEARTH_S3_SECRET_KEY/;
    await check(t, { program: 'the API', variables, prints, waits: true });
    await s3.stop();
  });
});
