import { Client } from 'minio';
import type { S3Server } from './s3Server.ts';

/** Returns all object keys of a bucket, even invalid ones, and then a line for each unfinished multipart upload. */
export const listBucket = async ({ endpoint, accessKey, secretKey }: S3Server, bucket: string): Promise<string[]> => {
  const { hostname, port } = new URL(endpoint);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  const objects = client.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>;
  const uploads = client.listIncompleteUploads(bucket, '', true) as AsyncIterable<{ key: string; uploadId: string }>;
  return [
    ...(await Array.fromAsync(objects, ({ name }) => name)).toSorted(),
    ...(await Array.fromAsync(uploads, ({ key, uploadId }) => `unfinished upload ${uploadId} of ${key}`)),
  ];
};
