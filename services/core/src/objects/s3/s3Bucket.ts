import { Client } from 'minio';
import type { Log } from '../../log/log.ts';
import { StoreError } from '../objectErrors.ts';
import type { S3Settings } from '../../config/s3Settings.ts';
import { attemptS3, s3Code } from './s3Errors.ts';
import { defaultPatience, s3Transport, type S3Patience } from './s3Transport.ts';

/** Options that only tests set. */
export interface S3Options {
  readonly patience?: S3Patience;
  /** Objects, or unfinished uploads, in one page of a listing, 1,000 at most. */
  readonly pageSize?: number;
  /** Milliseconds that a store may take to complete an upload before the completion counts as interrupted. */
  readonly completionMs?: number;
}

/** A bucket, its client and the settings of requests. */
export interface S3Bucket {
  readonly client: Client;
  readonly name: string;
  readonly log: Log;
  readonly patience: S3Patience;
  readonly pageSize: number;
  readonly completionMs: number;
  /** @throws StoreError where the store is away, refuses us or has no such bucket */
  ping(): Promise<void>;
}

/** Opens a bucket; connects only with the first request. */
export const openS3Bucket = (settings: S3Settings, log: Log, options: S3Options): S3Bucket => {
  const { protocol, hostname, port } = new URL(settings.endpoint);
  const { patience = defaultPatience, pageSize = 1_000, completionMs = 2 * 60_000 } = options;
  const name = settings.bucket;
  const useSSL = protocol === 'https:';
  const client = new Client({
    // Only a URL has brackets around an IPv6 address.
    endPoint: hostname.replaceAll(/[[\]]/g, ''),
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    region: settings.region,
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    // The client's own retries would run inside ours, and write to the console.
    retryOptions: { disableRetry: true },
    ...s3Transport(useSSL, patience),
  });
  return {
    client,
    name,
    log,
    patience,
    pageSize,
    completionMs,
    async ping() {
      const what = `reach bucket ${name} at ${settings.endpoint}`;
      if (!(await attemptS3(what, client.bucketExists(name)))) await attemptS3(what, look(client, name));
    },
  };
};

/** Lists one object. Unlike the answer to HEAD, the answer to a listing says what is missing or refused, and why. */
const look = async (client: Client, name: string): Promise<void> => {
  await client.listObjectsV2Query(name, '', '', '', 1, '');
};

/** Makes the bucket if it is missing. @throws StoreError that says what is wrong, such as the credentials */
export const makeS3Bucket = async ({ client, name }: S3Bucket, { endpoint, region }: S3Settings): Promise<void> => {
  const make = async (): Promise<void> => {
    try {
      await look(client, name);
    } catch (error) {
      if (s3Code(error) !== 'NoSuchBucket') throw error;
      // A refusal may mean that another process has just made the bucket, which each server says in its own way, or that the name belongs
      // to a stranger: the next listing tells.
      const refusal = await client.makeBucket(name, region).catch((error: unknown) => error);
      await look(client, name).catch((error: unknown) => {
        throw s3Code(error) === 'NoSuchBucket' ? (refusal ?? error) : error;
      });
    }
  };
  await attemptS3(`make bucket ${name} at ${endpoint}`, make());
};

/** Writes an object in one request: whole or not at all. @throws StoreError for a response without a tag, such as a proxy's page */
export const putS3Buffer = async ({ client, name }: S3Bucket, objectName: string, bytes: Buffer): Promise<void> => {
  const { headers } = await client.makeRequestAsyncOmit({ method: 'PUT', bucketName: name, objectName }, bytes);
  if (!headers.etag) throw new StoreError(`put ${objectName}: the store does not confirm the write`);
};
