import { createHash } from 'node:crypto';
import { constants, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelFile } from '../models/model.ts';
import { folderOf, type ModelName } from '../models/models.ts';
import { downloadFile } from './downloadFile.ts';
import { isPinnedFile, pathOf } from './modelFile.ts';
import type { ModelStore } from './modelStore.ts';

/** How far a file has come. */
export interface FetchProgress {
  readonly file: ModelFile;
  readonly bytes: number;
}

/**
 * Fetches a file into the store, from the first place that has it. It appears there whole and verified, or not at all. Answers undefined,
 * or what came of each place. Only one process at a time may call it for a store.
 */
export async function fetchModelFile(
  store: ModelStore,
  model: ModelName,
  file: ModelFile,
  onProgress: (progress: FetchProgress) => void,
): Promise<readonly string[] | undefined> {
  // A package is installed by npm, and nowhere else.
  if ('package' in file.origin) return [];
  const path = pathOf(store.directory, model, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const problems: string[] = [];
  for (const place of placesOf(store, folderOf(model), file)) {
    const unfinished = `${path}.${partOf(place, file)}.part`;
    try {
      if (isUrl(place))
        await downloadFile({
          url: place,
          path: unfinished,
          mostBytes: file.bytes,
          onProgress: (bytes) => onProgress({ file, bytes }),
        });
      else await copyFile(place, unfinished, constants.COPYFILE_FICLONE);
    } catch (error) {
      problems.push(`${place}: ${explain(error)}`);
      continue;
    }
    if (await isPinnedFile(unfinished, file)) {
      await rename(unfinished, path);
      return undefined;
    }
    problems.push(`${place} is not the pinned file`);
    await rm(unfinished);
  }
  return store.isOffline && 'url' in file.origin
    ? [...problems, 'HEARTH_OFFLINE keeps it from being fetched from the internet']
    : problems;
}

/** Nothing is gone on with that came from another place, or that was pinned otherwise. */
const partOf = (place: string, { sha256 }: ModelFile): string =>
  createHash('sha256').update(`${sha256} ${place}`).digest('hex').slice(0, 8);

const isUrl = (place: string): boolean => /^https?:/.test(place);

const placesOf = ({ mirror, isOffline }: ModelStore, folder: string, { name, origin }: ModelFile): string[] => [
  ...(mirror === undefined
    ? []
    : [isUrl(mirror) ? `${mirror.replace(/\/+$/, '')}/${folder}/${name}` : join(mirror, folder, name)]),
  ...(!isOffline && 'url' in origin ? [origin.url] : []),
];

const explain = (error: unknown): string => {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it is not there';
  // What fetch throws says "fetch failed", and its cause what has happened.
  return cause instanceof Error ? cause.message || message : message;
};
