import { join } from 'node:path';
import type { Log } from '../log/log.ts';
import { openFolderStore } from '../objects/folder/folderStore.ts';
import type { ObjectStore } from '../objects/objects.ts';
import type { S3Settings } from '../config/s3Settings.ts';

/**
 * The object store that the configuration names: S3 where it has an endpoint, else a folder in the data directory. The client for S3 is
 * loaded only where it is used: its hundred modules take an eighth of the time of a start.
 */
export const openObjects = async (
  { dataDirectory, s3 }: { readonly dataDirectory: string; readonly s3: S3Settings | undefined },
  log: Log,
): Promise<ObjectStore> => {
  if (s3 === undefined) return openFolderStore(join(dataDirectory, 'objects'));
  const { openS3Store } = await import('../objects/s3/s3Store.ts');
  return openS3Store(s3, log);
};
