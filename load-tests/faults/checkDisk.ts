import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from './database.ts';
import { dataDirectoryOf, temporaryDirectoryOf } from './hearth.ts';

const task = 'remove orphans';

/**
 * Lets the orphan sweep, which spares what is younger than a day and runs once a day, run at the next start: makes all files
 * two days old and forgets when it ran. Hearth must be running, and be stopped and started after it.
 */
export const prepareOrphanSweep = async (directory: string): Promise<void> => {
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1_000);
  for (const path of await listFiles(directory)) await utimes(join(storeOf(directory), path), twoDaysAgo, twoDaysAgo);
  await query(directory, 'delete from housekeeping_tasks where name = $1', [task]);
};

/** Resolves when the orphan sweep has run. @throws after a minute */
export const waitForOrphanSweep = async (directory: string): Promise<void> => {
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt; await sleep(100)) {
    const rows = await query(directory, 'select from housekeeping_tasks where name = $1', [task]);
    if (rows.length === 1) return;
  }
  throw new Error('the orphan sweep has not run within a minute of the start');
};

/** Every file in the object store by its path there, unfinished ones too. */
export const listFiles = async (directory: string): Promise<string[]> => {
  const entries = await readdir(storeOf(directory), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(storeOf(directory).length + 1))
    .toSorted();
};

/** Compares the object store with the rows, and answers a sentence for each difference. */
export const checkDisk = async (directory: string): Promise<string[]> => {
  const rows = await query<{ original: string; preview_key: string | null; thumbnail_key: string | null }>(
    directory,
    `select user_id || '/' || id || '/original' as original, preview_key, thumbnail_key from media_items`,
  );
  const expected = new Set(rows.flatMap((row) => [row.original, row.preview_key ?? '', row.thumbnail_key ?? '']));
  const found = new Set(await listFiles(directory));
  return [
    ...[...expected.difference(found)].map((key) => `a row names the object "${key}", which is not there`),
    ...[...found.difference(expected)].map((path) => `the file ${path} belongs to no row, also after the sweep`),
  ];
};

/** Temporary files that are still there, which after a stop is a fault; a sentence for each. */
export const findLeftovers = async (directory: string): Promise<string[]> => {
  const folders = [temporaryDirectoryOf(directory), join(dataDirectoryOf(directory), 'scratch')];
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return names.flat().map((name) => `a temporary file is left after the stop: ${name}`);
};

const storeOf = (directory: string): string => join(dataDirectoryOf(directory), 'objects');
