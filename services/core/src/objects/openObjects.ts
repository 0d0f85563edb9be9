import { join } from 'node:path';
import type { Log } from '../log.ts';
import { openFolderStore } from './folderStore.ts';
import type { ObjectStore } from './objects.ts';
import type { S3Settings } from './s3Bucket.ts';
import { openS3Store } from './s3Store.ts';

/** The object store that the configuration names: S3 where it has an endpoint, else a folder in the data directory. */
export const openObjects = async (
  { dataDirectory, s3 }: { readonly dataDirectory: string; readonly s3: S3Settings | undefined },
  log: Log,
): Promise<ObjectStore> => (s3 === undefined ? openFolderStore(join(dataDirectory, 'objects')) : openS3Store(s3, log));
