import { chmod, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes a folder with its contents. No process may write to it any more. Unlike `rm`, it also deletes trees with paths too long for the system,
 * folders without permissions, and names that are not valid text.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await flattenTree(folder);
  }
}

/** Moves each folder to the top level before emptying it, so that no path is longer than two names. */
async function flattenTree(folder: string): Promise<void> {
  const topFolder = `${folder}-removed`;
  await mkdir(topFolder, { recursive: true, mode: 0o700 });
  const pending = [folder];
  for (let next = pending.pop(), count = 0; next !== undefined; next = pending.pop()) {
    await chmod(next, 0o700);
    for (const entry of await readdir(next, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([Buffer.from(`${next}/`), entry.name]);
      if (!entry.isDirectory()) await unlink(path);
      else {
        const moved = join(topFolder, `${(count += 1)}`);
        // Moving a folder requires write permission on it.
        await chmod(path, 0o700);
        await rename(path, moved);
        pending.push(moved);
      }
    }
    await rmdir(next);
  }
  await rmdir(topFolder);
}
