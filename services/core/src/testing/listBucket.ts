import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'minio';
import type { TestMinio } from './minio.ts';

/** Every object of a bucket by its key, and after them a line for each multipart upload that was begun and never finished. */
export const listBucket = async (minio: TestMinio, bucket: string): Promise<string[]> => {
  const { hostname, port } = new URL(minio.endpoint);
  const { accessKey, secretKey, directory } = minio;
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  const objects = await Array.fromAsync(client.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>);
  return [...objects.map(({ name }) => name).toSorted(), ...(await listUnfinished(directory))];
};

/** Looked for on the disk, where each has a folder with what it is: MinIO lists them by the exact key only, and not after a restart. */
const listUnfinished = async (directory: string): Promise<string[]> => {
  const root = join(directory, '.minio.sys', 'multipart');
  const files = await readdir(root, { recursive: true });
  return files.filter((name) => name.endsWith('/xl.meta')).map((name) => `unfinished upload ${name}`);
};
