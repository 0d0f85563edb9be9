import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { readConfig } from '@hearth/core/config/config.ts';
import { openDiskSpace } from '@hearth/core/disk/diskSpace.ts';
import type { ReadFileSystem } from '@hearth/core/disk/fileSystem.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { markerKey } from '@hearth/core/objects/marker.ts';
import { createTestBackEnds } from '../run/backEnds.ts';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { createTestDatabase } from '../database/postgres.ts';
import { getFastFolder } from '../run/fastFolder.ts';
import { createApiServer } from '@hearth/api/server/app.ts';
import { apiVariables, type ApiConfig } from '@hearth/api/config/config.ts';
import type { Deps } from '@hearth/api/deps/deps.ts';
import { objectPlaces, openDeps } from '@hearth/api/deps/openDeps.ts';
import { resetSeenResponses } from './responseChecker.ts';
import { createClient, type Client } from './client.ts';
import type { TcpProxy } from '../proxies/tcpProxy.ts';
import { signUp, type TestUser } from './testUser.ts';

/** The real API on a free port, with its own database, object store and queue. */
export interface TestApi {
  readonly url: string;
  readonly port: number;
  readonly deps: Deps;
  readonly server: Server;
  /** Calls without signing in. */
  readonly call: Client;
  /** Calls as the administrator. */
  readonly callAsAdmin: Client;
  /** Creates a user and signs in. */
  signUp(username?: string): Promise<TestUser>;
  /** Returns the keys of all objects in the store except the library's marker, sorted. */
  listKeys(): Promise<string[]>;
  /** Returns names of the unfinished multipart writes in the store. Their format depends on the store. */
  listUnfinished(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Options that differ from the default API. */
export interface TestApiOptions {
  readonly config?: Partial<ApiConfig>;
  /** False for a database without tables, so that all queries fail. */
  readonly isMigrated?: boolean;
  /** Proxy to the database. It can cut the connection. */
  readonly proxy?: TcpProxy;
  /** Simulated disk usage. */
  readonly readDisk?: ReadFileSystem;
  /** API whose database and back ends are used. Stop this replica before that API. */
  readonly sharedWith?: TestApi;
}

/** Reports enough space, independent of the disk of the test machine. */
const plentyOfDisk: ReadFileSystem = async () => ({ totalBytes: 2 ** 40, freeBytes: 2 ** 39 });

/** Credentials of the administrator of every test API. */
export const admin = { username: 'keeper', password: 'the-keepers-password' } as const;

/** Returns the environment variables of an API on a database and a data directory. */
export const testEnvironment = (databaseUrl: string, dataDirectory: string) => ({
  ...compileCache,
  HEARTH_DATABASE_URL: databaseUrl,
  HEARTH_DATA_DIR: dataDirectory,
  HEARTH_WEB_DIR: join(dataDirectory, 'web'),
  HEARTH_METRICS_PORT: '0',
  HEARTH_OFFLINE: '1',
  HEARTH_ADMIN_USERNAME: admin.username,
  HEARTH_ADMIN_PASSWORD: admin.password,
  HEARTH_TOKEN_SECRET: 'a token secret for tests, long enough',
  HEARTH_LINK_SECRET: 'a link secret for tests, long enough too',
});

/** Number of running APIs in this process. The first API of a test file sees 0. */
let running = 0;

/** Starts the API without the housekeeper. Tests call its tasks directly. */
export const startTestApi = async ({
  config = {},
  isMigrated = true,
  proxy,
  readDisk,
  sharedWith,
}: TestApiOptions = {}): Promise<TestApi> => {
  if (running === 0) resetSeenResponses();
  running += 1;
  const place =
    sharedWith === undefined
      ? await makeDatabase(isMigrated, proxy)
      : {
          config: sharedWith.deps.config,
          listUnfinished: () => sharedWith.listUnfinished(),
          remove: async () => undefined,
        };
  const fullConfig = { ...place.config, ...config };
  const log = createLog('api', 'silent');
  // A simulated disk also applies if objects are in S3.
  const folders =
    readDisk === undefined ? objectPlaces(fullConfig) : [{ name: 'objects' as const, path: fullConfig.dataDirectory }];
  const disk = { folders, reserveBytes: fullConfig.diskReserveBytes, log, read: readDisk ?? plentyOfDisk };
  const deps = await openDeps(fullConfig, log, openDiskSpace(disk));
  // Also set for a database without tables: such tests need queries to fail.
  deps.state.isMigrated = true;
  deps.state.isStoreChecked = true;
  await deps.objects.claim();
  const server = createApiServer(deps, { onStopped: async () => undefined });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const callAsAdmin = createClient(url, toBasicAuth(admin));
  return {
    url,
    port,
    deps,
    server,
    call: createClient(url),
    callAsAdmin,
    signUp: (username) => signUp(url, callAsAdmin, username),
    listKeys: async () =>
      (await Array.fromAsync(deps.objects.list(''), ({ key }) => key)).filter((key) => key !== markerKey).toSorted(),
    listUnfinished: () => place.listUnfinished(),
    stop: async () => {
      running -= 1;
      server.close();
      server.closeAllConnections();
      await deps.queryEmbedder.close();
      await deps.queues.close();
      await deps.db.destroy();
      await place.remove();
    },
  };
};

/** Makes a separate database, object store and queue, and the configuration for them. */
const makeDatabase = async (isMigrated: boolean, proxy: TcpProxy | undefined) => {
  const directory = await mkdtemp(join(getFastFolder(), 'hearth-api-test-'));
  const database = await (isMigrated ? createMigratedDatabase({ maxConnections: 1 }) : createTestDatabase());
  const backEnds = await createTestBackEnds();
  const env = { ...testEnvironment(proxy?.setTarget(database.url) ?? database.url, directory), ...backEnds.variables };
  return {
    config: readConfig(apiVariables(env), env),
    listUnfinished: () => backEnds.listUnfinished(directory),
    remove: async () => {
      await database.drop();
      await backEnds.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Returns the `Authorization` header of Basic authentication. */
export const toBasicAuth = ({ username, password }: { username: string; password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
