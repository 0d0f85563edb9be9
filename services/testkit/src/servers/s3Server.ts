import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'minio';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import type { S3Settings } from '@hearth/core/config/s3Settings.ts';
import { startKeptServer, type KeptServer } from './keptServer.ts';
import { quickFolder } from '../run/quickFolder.ts';
import { toolPath } from '../run/tools.ts';

/** How a test reaches an S3 server. */
export interface S3Server {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** An S3 server of a test's own. */
export interface TestS3 extends KeptServer, S3Server {}

/** Starts a VersityGW without buckets, which keeps them in a folder; its file system must have extended attributes. */
export const startTestS3 = async ({ port }: { readonly port?: number } = {}): Promise<TestS3> => {
  const address = `127.0.0.1:${port ?? (await findFreePort())}`;
  const parent = await mkdtemp(join(quickFolder(), 'hearth-test-s3-'));
  const directory = join(parent, 'data');
  await mkdir(directory);
  const [accessKey, secretKey] = ['hearth-test', 'the secret key of tests'];
  const endpoint = `http://${address}`;
  const server = await startKeptServer({
    program: toolPath('versitygw'),
    args: ['--quiet', '--keep-alive', '--port', address, 'posix', directory],
    env: { ROOT_ACCESS_KEY_ID: accessKey, ROOT_SECRET_ACCESS_KEY: secretKey },
    directory: parent,
    isReady: () => refusesStrangers(endpoint),
  });
  return Object.assign(server, { endpoint, accessKey, secretKey });
};

/** Whether an S3 server answers already: a request without credentials, which it refuses with 403. */
export const refusesStrangers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    ({ status }) => status === 403,
    () => false,
  );

/** An empty bucket that belongs to one test alone. */
export interface TestBucket {
  readonly settings: S3Settings;
  /** The keys of uploads that were begun and neither finished nor given up. */
  listUnfinished(): Promise<string[]>;
  /** Removes the bucket with all objects and unfinished uploads. */
  remove(): Promise<void>;
}

/** Makes a bucket with a name of its own. */
export const createTestBucket = async ({ endpoint, accessKey, secretKey }: S3Server): Promise<TestBucket> => {
  const { hostname, port } = new URL(endpoint);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  const bucket = `test-${randomUUID()}`;
  await client.makeBucket(bucket);
  const listUnfinished = (): Promise<string[]> =>
    Array.fromAsync(client.listIncompleteUploads(bucket, '', true) as AsyncIterable<{ key: string }>, ({ key }) => key);
  const removeAll = async (): Promise<void> => {
    for (const key of await listUnfinished()) await client.removeIncompleteUpload(bucket, key);
    const objects = await Array.fromAsync(client.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>);
    await client.removeObjects(
      bucket,
      objects.map(({ name }) => name),
    );
  };
  return {
    settings: {
      endpoint,
      region: 'us-east-1',
      bucket,
      accessKey,
      secretKey,
      publicUrl: undefined,
      capacityBytes: undefined,
    },
    listUnfinished,
    remove: async () => {
      // A request that its sender gave up, for example because the server was frozen, may still be carried out after a listing.
      for (let isRemoved = false; !isRemoved;) {
        await removeAll();
        isRemoved = await client.removeBucket(bucket).then(
          () => true,
          (error: { readonly code?: string }) => {
            if (error.code !== 'BucketNotEmpty') throw error;
            return false;
          },
        );
      }
    },
  };
};
