import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@hearth/core/log/log.ts';
import { createTestBucket, type S3Server } from '../servers/s3Server.ts';
import type { S3Options } from '@hearth/core/objects/s3/s3Bucket.ts';
import type { S3Settings } from '@hearth/core/config/s3Settings.ts';
import { openS3Store } from '@hearth/core/objects/s3/s3Store.ts';
import type { TestStore } from './testBytes.ts';

/** An S3 store for one test. `outside` is an empty folder. */
export interface TestBucketStore extends TestStore {
  readonly settings: S3Settings;
  readonly outside: string;
}

/** Makes the S3 store of one test, in a separate bucket. */
export const makeBucket = async (
  server: S3Server,
  settings: Partial<S3Settings> = {},
  options: S3Options = {},
): Promise<TestBucketStore> => {
  const bucket = await createTestBucket(server);
  const outside = await mkdtemp(join(tmpdir(), 'hearth-objects-'));
  const mergedSettings = { ...bucket.settings, ...settings };
  return {
    settings: mergedSettings,
    outside,
    store: openS3Store(mergedSettings, createLog('test', 'error'), options),
    [Symbol.asyncDispose]: async () => {
      await bucket.remove();
      await rm(outside, { recursive: true });
    },
  };
};
