import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { ifExists, rejectLinks } from './folders.ts';
import { isKey } from '../keys.ts';
import type { ObjectInfo } from '../objects.ts';

/**
 * Lists objects in the folder `root` whose key starts with `prefix`, reading while the caller iterates. Skips entries
 * without a valid key, and those that are neither file nor folder, such as symbolic links.
 */
export async function* listFolder(root: string, prefix: string): AsyncGenerator<ObjectInfo, void> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (folder !== '') {
    if (!isKey(folder.slice(0, -1))) return;
    if ((await ifExists(rejectLinks(join(root, folder.slice(0, -1))))) === undefined) return;
  }
  yield* walk(root, folder, prefix);
}

/** `folder` is empty or ends with a slash. Skips keys that do not start with `prefix`. */
async function* walk(root: string, folder: string, prefix: string): AsyncGenerator<ObjectInfo, void> {
  const entries = await ifExists(opendir(join(root, folder)));
  if (entries === undefined) return;
  for await (const { name } of entries) {
    const key = folder + name;
    if (!key.startsWith(prefix) || !isKey(key)) continue;
    // Not by the type in the directory entry, because some file systems leave it unknown.
    const found = await ifExists(lstat(join(root, key)));
    if (found?.isDirectory()) yield* walk(root, `${key}/`, prefix);
    else if (found?.isFile()) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
  }
}
