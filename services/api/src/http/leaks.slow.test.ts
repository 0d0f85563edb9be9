import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { routes } from '@hearth/contract/routes.ts';
import { readConfig } from '@hearth/core/config/config.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { createTestBackEnds } from '@hearth/testkit/run/backEnds.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { apiVariables } from '../config/config.ts';
import { openDeps } from '../deps/openDeps.ts';
import { createClient, type RouteName } from '@hearth/testkit/api/client.ts';
import { makeRouteContext } from '@hearth/testkit/api/routeFixtures/routeContext.ts';
import { exchange } from '@hearth/testkit/api/rawExchange.ts';
import { callRoute } from '@hearth/testkit/api/routeFixtures.ts';
import { recordSecrets } from '@hearth/testkit/api/secretRecorder.ts';
import { admin, toBasicAuth, testEnvironment, type TestApi } from '@hearth/testkit/api/testApi.ts';
import { signUp } from '@hearth/testkit/api/testUser.ts';

/*
 * Runs real API and worker processes with the most verbose logging through every route, every error of the contract and
 * a database outage. Then searches all their output for secrets.
 */

const recorder = recordSecrets();
const directory = await mkdtemp(join(tmpdir(), 'hearth-leaks-test-'));
const proxy = await startTcpProxy();
const database = await createMigratedDatabase();
const backEnds = await createTestBackEnds();
const ports = { api: await findFreePort(), apiMetrics: await findFreePort(), workerMetrics: await findFreePort() };
const env = {
  ...testEnvironment(proxy.setTarget(database.url), directory),
  ...backEnds.variables,
  HEARTH_PORT: String(ports.api),
  HEARTH_LOG_LEVEL: 'debug',
};

const written: string[] = [];
const start = (program: string, metricsPort: number): ChildProcess => {
  const child = spawn(process.execPath, [program], {
    env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin', HEARTH_METRICS_PORT: String(metricsPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => written.push(String(chunk)));
  return child;
};
const processes = [
  start(join(import.meta.dirname, '..', 'main.ts'), ports.apiMetrics),
  start(join(import.meta.dirname, '..', '..', '..', 'worker', 'src', 'main.ts'), ports.workerMetrics),
];
const deps = await openDeps(readConfig(apiVariables(env), env), createLog('api', 'silent'));
after(async () => {
  recorder[Symbol.dispose]();
  for (const child of processes) child.kill('SIGKILL');
  await deps.queues.close();
  await deps.db.destroy();
  await database.drop();
  await backEnds.remove();
  await proxy.cut();
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
});

const url = `http://127.0.0.1:${ports.api}`;
const isReady = async () => (await fetch(`${url}/readyz`)).ok;
const isProcessed = async (item: string): Promise<boolean> => {
  const runs = database.db.selectFrom('component_runs').select('component').where('media_item_id', '=', item);
  return (await runs.where('state', 'in', ['PENDING', 'RUNNING']).execute()).length === 0;
};
const callAsAdmin = createClient(url, toBasicAuth(admin));

test('logs, metrics, errors and process arguments contain no secrets', async () => {
  await waitUntil('the API is ready', () => isReady().catch(() => false));
  deps.state.isMigrated = true;
  deps.state.isStoreChecked = true;
  const api: TestApi = {
    url,
    port: ports.api,
    deps,
    call: createClient(url),
    callAsAdmin,
    signUp: (username) => signUp(url, callAsAdmin, username),
    listKeys: async () => [],
    listUnfinished: async () => [],
    stop: async () => undefined,
  } as Omit<TestApi, 'server'> as TestApi;
  const context = await makeRouteContext(api, (item) =>
    waitUntil('the item is processed', () => isProcessed(item).catch(() => false)),
  );
  for (const name of Object.keys(routes) as RouteName[]) await callRoute(context, name);

  // Paths of a shared album and of files, and variants that match no route.
  const link = await context.sharedLink();
  const { sourceUrl } = (await context.user.call('getMediaItem', { params: { id: context.item } })).body;
  const sharing = `/v1/sharing/${context.share}`;
  const odd = ['/', '/nothing', '/mediaItems?page=0', `?signature=${context.share}`];
  const addresses = [
    link,
    sourceUrl,
    sharing,
    sharing.toUpperCase(),
    `/api${sharing}`,
    `/${context.share}`,
    `${sharing}%ff`,
  ];
  for (const address of [...addresses, ...odd.map((end) => `${sharing}${end}`)]) {
    for (const method of ['GET', 'POST', 'DELETE', 'HEAD']) await fetch(new URL(address, url), { method });
  }
  const rest = 'Host: x\r\nConnection: close\r\n\r\n';
  for (const target of [`//v1/sharing/${context.share}`, `http://x${sharing}`, `${sharing} x`]) {
    await exchange(ports.api, `GET ${target} HTTP/1.1\r\n${rest}`);
  }
  const guess = { ...admin, password: 'a password that is wrong' };
  await createClient(url, toBasicAuth(guess))('listUsers');
  await proxy.cut();
  const failures = addresses.map(async (address) => (await fetch(new URL(address, url))).status);
  const { username, password } = context.user;
  const login = await api.call('login', { body: { username, password } });
  assert.ok((await Promise.all(failures)).includes(503) && login.status === 503);
  await proxy.open();
  await waitUntil('the API is ready', () => isReady().catch(() => false));

  const albums = await database.db.selectFrom('albums').select(['id', 'share_id']).execute();
  const users = await database.db.selectFrom('users').select('password_hash').execute();
  const secrets = new Set([
    ...recorder.secrets,
    ...albums.flatMap(({ id, share_id: shareId }) => [id, shareId ?? id]),
    ...users.map((user) => user.password_hash),
    ...['HEARTH_TOKEN_SECRET', 'HEARTH_LINK_SECRET', 'HEARTH_ADMIN_PASSWORD', 'HEARTH_S3_SECRET_KEY'].flatMap(
      (name) => new Map(Object.entries<string>(env)).get(name) ?? [],
    ),
    ...[database.url, backEnds.variables['HEARTH_REDIS_URL'] ?? ''].flatMap((each) => {
      const given = URL.parse(each)?.password ?? '';
      return given.length >= 8 ? given : [];
    }),
  ]);
  assert.ok(secrets.size > 50 && secrets.has(password) && secrets.has(context.share), String(secrets.size));

  const metrics = await Promise.all(
    [ports.apiMetrics, ports.workerMetrics].map(async (port) =>
      (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    ),
  );
  const processArguments = await Promise.all(
    (await listDescendants()).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')),
  );
  for (const child of processes) {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  }
  const outputs = {
    logs: written.join(''),
    metrics: metrics.join('\n'),
    errors: recorder.errorBodies.join('\n'),
    arguments: processArguments.join('\n'),
  };
  assert.match(outputs.logs, /"path":"\/v1\/sharing\/:id"/);
  assert.match(outputs.logs, /a dependency is unavailable/);
  assert.match(outputs.metrics, /route="\/v1\/sharing\/:id"/);
  assert.ok(recorder.errorBodies.length > 100 && processArguments.length > 2);
  for (const [place, text] of Object.entries(outputs)) {
    for (const secret of secrets) {
      const at = text.indexOf(secret);
      assert.ok(at < 0, `${place}: ${text.slice(Math.max(0, at - 300), at + 100)}`);
    }
  }
});

/** Lists the started processes and their descendants. */
const listDescendants = async (): Promise<number[]> => {
  const found: number[] = [];
  const waiting = processes.flatMap(({ pid }) => pid ?? []);
  for (let pid = waiting.shift(); pid !== undefined; pid = waiting.shift()) {
    found.push(pid);
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    waiting.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return found;
};
