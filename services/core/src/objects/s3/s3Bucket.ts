import { Client } from 'minio';
import type { Log } from '../../log/log.ts';
import { StoreError } from '../objectErrors.ts';
import type { S3Settings } from '../../config/s3Settings.ts';
import { convertS3Errors, getS3Code } from './s3Errors.ts';
import { defaultTimeouts, createS3Transport, type S3Timeouts } from './s3Transport.ts';

/** Options for tests. */
export interface S3Options {
  readonly timeouts?: S3Timeouts;
  /** Objects or unfinished uploads per page of a listing, at most 1,000. */
  readonly pageSize?: number;
  /** Time after which the completion of an upload counts as interrupted, in ms. Doubles with each interruption. */
  readonly completionMs?: number;
}

/** A bucket with its client and request settings. */
export interface S3Bucket {
  readonly client: Client;
  readonly name: string;
  readonly log: Log;
  readonly timeouts: S3Timeouts;
  readonly pageSize: number;
  readonly completionMs: number;
  /** @throws StoreError if the store is unavailable, denies access or has no such bucket */
  ping(): Promise<void>;
}

/** Opens a bucket. Connects with the first request only. */
export const openS3Bucket = (settings: S3Settings, log: Log, options: S3Options): S3Bucket => {
  const { protocol, hostname, port } = new URL(settings.endpoint);
  const { timeouts = defaultTimeouts, pageSize = 1_000, completionMs = 2 * 60_000 } = options;
  const name = settings.bucket;
  const useSSL = protocol === 'https:';
  const client = new Client({
    // The brackets of an IPv6 address are part of the URL syntax only.
    endPoint: hostname.replaceAll(/[[\]]/g, ''),
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    region: settings.region,
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    // The client's own retries would nest in ours and write to the console.
    retryOptions: { disableRetry: true },
    ...createS3Transport(useSSL, timeouts),
  });
  return {
    client,
    name,
    log,
    timeouts,
    pageSize,
    completionMs,
    async ping() {
      const what = `access bucket ${name} at ${settings.endpoint}`;
      if (!(await convertS3Errors(what, client.bucketExists(name))))
        await convertS3Errors(what, listOneObject(client, name));
    },
  };
};

/** Lists one object. Unlike a HEAD response, a listing reports what is missing or denied, and why. */
const listOneObject = async (client: Client, name: string): Promise<void> => {
  await client.listObjectsV2Query(name, '', '', '', 1, '');
};

/** Creates the bucket if it is missing. @throws StoreError with the reason, such as wrong credentials */
export const makeS3Bucket = async ({ client, name }: S3Bucket, { endpoint, region }: S3Settings): Promise<void> => {
  const make = async (): Promise<void> => {
    try {
      await listOneObject(client, name);
    } catch (error) {
      if (getS3Code(error) !== 'NoSuchBucket') throw error;
      // Another process may have just created the bucket, which servers report in different ways. Or the name belongs
      // to another account. The next listing shows which.
      const refusal = await client.makeBucket(name, region).catch((error: unknown) => error);
      await listOneObject(client, name).catch((error: unknown) => {
        throw getS3Code(error) === 'NoSuchBucket' ? (refusal ?? error) : error;
      });
    }
  };
  await convertS3Errors(`create bucket ${name} at ${endpoint}`, make());
};

/**
 * Writes an object atomically, in one request. @throws StoreError for a response without an ETag, such as the page of a
 * proxy
 */
export const putS3Buffer = async ({ client, name }: S3Bucket, objectName: string, bytes: Buffer): Promise<void> => {
  const { headers } = await client.makeRequestAsyncOmit({ method: 'PUT', bucketName: name, objectName }, bytes);
  if (!headers.etag) throw new StoreError(`put ${objectName}: the store did not confirm the write`);
};
