import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'minio';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import type { S3Settings } from '@hearth/core/config/s3Settings.ts';
import { startSupervisedServer, type SupervisedServer } from './supervisedServer.ts';
import { getFastFolder } from '../run/fastFolder.ts';
import { toolPath } from '../run/tools.ts';

/** Access to an S3 server. */
export interface S3Server {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** An S3 server for one test. */
export interface TestS3 extends SupervisedServer, S3Server {}

/** Starts a VersityGW without buckets. The file system of its folder must support extended attributes. */
export const startTestS3 = async ({ port }: { readonly port?: number } = {}): Promise<TestS3> => {
  const address = `127.0.0.1:${port ?? (await findFreePort())}`;
  const parent = await mkdtemp(join(getFastFolder(), 'hearth-test-s3-'));
  const directory = join(parent, 'data');
  await mkdir(directory);
  const [accessKey, secretKey] = ['hearth-test', 'the secret key of tests'];
  const endpoint = `http://${address}`;
  const server = await startSupervisedServer({
    program: toolPath('versitygw'),
    args: ['--quiet', '--keep-alive', '--port', address, 'posix', directory],
    env: { ROOT_ACCESS_KEY_ID: accessKey, ROOT_SECRET_ACCESS_KEY: secretKey },
    directory: parent,
    isReady: () => rejectsAnonymous(endpoint),
  });
  return Object.assign(server, { endpoint, accessKey, secretKey });
};

/** Returns true if an S3 server responds: it rejects a request without credentials with 403. */
export const rejectsAnonymous = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    ({ status }) => status === 403,
    () => false,
  );

/** An empty bucket for one test. */
export interface TestBucket {
  readonly settings: S3Settings;
  /** Returns the keys of unfinished uploads. */
  listUnfinished(): Promise<string[]>;
  /** Deletes the bucket with all objects and unfinished uploads. */
  remove(): Promise<void>;
}

/** Creates a bucket with a unique name. */
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
      // Repeats, because the server may execute a cancelled request after the listing, for example one sent while it was frozen.
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
