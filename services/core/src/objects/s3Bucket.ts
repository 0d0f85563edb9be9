import { Client } from 'minio';
import type { Log } from '../log.ts';
import { attemptS3, s3Code } from './s3Errors.ts';
import { defaultPatience, s3Transport, type S3Patience } from './s3Transport.ts';

/** Where an S3 bucket is, and who may use it. */
export interface S3Settings {
  /** `https://s3.example.org` or `http://s3:9000`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Under which browsers reach the same store; links of files lead there. */
  readonly publicUrl: string | undefined;
  /** How much the store can hold, which S3 does not tell. */
  readonly capacityBytes: number | undefined;
}

/** What is otherwise only in tests. */
export interface S3Options {
  readonly patience?: S3Patience;
  /** Objects, or unfinished uploads, in one page of a listing, 1,000 at most. */
  readonly pageSize?: number;
  /** Milliseconds for which a store may be at the completion of an upload before it counts as interrupted. */
  readonly completionMs?: number;
}

/** A bucket, and how it is asked. */
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

/** Connects to nothing before the first request. */
export const openS3Bucket = (settings: S3Settings, log: Log, options: S3Options): S3Bucket => {
  const { protocol, hostname, port } = new URL(settings.endpoint);
  const { patience = defaultPatience, pageSize = 1_000, completionMs = 2 * 60_000 } = options;
  const name = settings.bucket;
  const useSSL = protocol === 'https:';
  const client = new Client({
    // An IPv6 address stands in brackets in a URL only.
    endPoint: hostname.replaceAll(/[[\]]/g, ''),
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    region: settings.region,
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    // It would try again in the middle of ours, and write to the console.
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

/** Lists as little as can be: the answer to that, other than that to HEAD, says what is missing or refused, and why. */
const look = async (client: Client, name: string): Promise<void> => {
  await client.listObjectsV2Query(name, '', '', '', 1, '');
};

/** Makes the bucket if it is missing. @throws StoreError that says what is wrong with the credentials, where that is it */
export const makeS3Bucket = async ({ client, name }: S3Bucket, { endpoint, region }: S3Settings): Promise<void> => {
  const make = async (): Promise<void> => {
    try {
      await look(client, name);
    } catch (error) {
      if (s3Code(error) !== 'NoSuchBucket') throw error;
      // Whatever is answered: another process may have been faster, which servers say in their own ways, or a stranger has the bucket.
      const refusal = await client.makeBucket(name, region).catch((error: unknown) => error);
      await look(client, name).catch((error: unknown) => {
        throw s3Code(error) === 'NoSuchBucket' ? (refusal ?? error) : error;
      });
    }
  };
  await attemptS3(`make bucket ${name} at ${endpoint}`, make());
};

/** Writes an object in one request: whole or not at all. */
export const putS3Buffer = async ({ client, name }: S3Bucket, objectName: string, bytes: Buffer): Promise<void> => {
  await client.makeRequestAsyncOmit({ method: 'PUT', bucketName: name, objectName }, bytes);
};
