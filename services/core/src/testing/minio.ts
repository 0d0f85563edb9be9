import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'minio';
import { findFreePort } from '../embedded/freePort.ts';
import type { S3Settings } from '../objects/s3Bucket.ts';
import { startKeptServer, type KeptServer } from './keptServer.ts';
import { toolPath } from './tools.ts';

/** How a test reaches a MinIO. */
export interface MinioServer {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A MinIO of a test's own, on one folder. */
export interface TestMinio extends KeptServer, MinioServer {
  /** Holds a folder for each bucket. */
  readonly directory: string;
}

/** Starts a MinIO without buckets; it is a program of its own (AGPL) that tests talk to, and no part of Hearth. */
export const startTestMinio = async ({ port }: { readonly port?: number } = {}): Promise<TestMinio> => {
  const address = `127.0.0.1:${port ?? (await findFreePort())}`;
  const parent = await mkdtemp(join(tmpdir(), 'hearth-test-minio-'));
  const directory = join(parent, 'data');
  const [accessKey, secretKey] = ['hearth-test', 'the secret key of tests'];
  const endpoint = `http://${address}`;
  const server = await startKeptServer({
    program: toolPath('minio'),
    args: ['server', '--quiet', '--address', address, '--certs-dir', join(parent, 'certs'), directory],
    env: {
      HOME: parent,
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    directory: parent,
    // Its own word that it is ready comes before it answers anything but 503; a request without credentials is refused with 403.
    isReady: () =>
      fetch(endpoint).then(
        ({ status }) => status === 403,
        () => false,
      ),
  });
  return Object.assign(server, { endpoint, accessKey, secretKey, directory });
};

/** An empty bucket that belongs to one test alone. */
export interface TestBucket {
  readonly settings: S3Settings;
  /** The keys of uploads that were begun and neither finished nor given up. */
  listUnfinished(): Promise<string[]>;
  /** Removes the bucket with all objects and unfinished uploads. */
  remove(): Promise<void>;
}

/** Makes a bucket with a name of its own. */
export const createTestBucket = async ({ endpoint, accessKey, secretKey }: MinioServer): Promise<TestBucket> => {
  const { hostname, port } = new URL(endpoint);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  const bucket = `test-${randomUUID()}`;
  await client.makeBucket(bucket);
  const listUnfinished = (): Promise<string[]> =>
    Array.fromAsync(client.listIncompleteUploads(bucket, '', true) as AsyncIterable<{ key: string }>, ({ key }) => key);
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
      for (const key of await listUnfinished()) await client.removeIncompleteUpload(bucket, key);
      const objects = await Array.fromAsync(client.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>);
      await client.removeObjects(
        bucket,
        objects.map(({ name }) => name),
      );
      await client.removeBucket(bucket);
    },
  };
};
