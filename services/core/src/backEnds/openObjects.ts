import { join } from 'node:path';
import type { Log } from '../log/log.ts';
import { openFolderStore } from '../objects/folder/folderStore.ts';
import type { ObjectStore } from '../objects/objects.ts';
import type { S3Settings } from '../config/s3Settings.ts';

/**
 * Opens the configured object store: S3, or a folder in the data directory without an S3 endpoint. Imports the S3
 * client on demand, because loading its hundred modules takes an eighth of the startup time.
 */
export const openObjects = async (
  { dataDirectory, s3 }: { readonly dataDirectory: string; readonly s3: S3Settings | undefined },
  log: Log,
): Promise<ObjectStore> => {
  if (s3 === undefined) return openFolderStore(join(dataDirectory, 'objects'));
  const { openS3Store } = await import('../objects/s3/s3Store.ts');
  return openS3Store(s3, log);
};
