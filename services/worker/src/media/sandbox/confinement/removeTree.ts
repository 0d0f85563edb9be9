import { chmod, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes a folder with its contents; no process may be writing to it any more. Unlike `rm`, it also removes trees whose paths are too long
 * for the system, folders without permissions, and names that are no valid text.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await flatten(folder);
  }
}

/** Moves each folder to the top before it is emptied, so that no path is longer than two names. */
async function flatten(folder: string): Promise<void> {
  const top = `${folder}-removed`;
  await mkdir(top, { recursive: true, mode: 0o700 });
  const left = [folder];
  for (let next = left.pop(), count = 0; next !== undefined; next = left.pop()) {
    await chmod(next, 0o700);
    for (const entry of await readdir(next, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([Buffer.from(`${next}/`), entry.name]);
      if (!entry.isDirectory()) await unlink(path);
      else {
        const moved = join(top, `${(count += 1)}`);
        // A folder without write permission cannot be moved either.
        await chmod(path, 0o700);
        await rename(path, moved);
        left.push(moved);
      }
    }
    await rmdir(next);
  }
  await rmdir(top);
}
