import { createHash } from 'node:crypto';
import { constants, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DownloadError } from '@hearth/core/download/downloadError.ts';
import { downloadFile } from '@hearth/core/download/downloadFile.ts';
import type { ModelFile } from '../models/model.ts';
import { getModelFolder, type ModelName } from '../models/models.ts';
import { isPinnedFile, getModelFilePath } from './modelFile.ts';
import type { ModelStore } from './modelStore.ts';

/** The progress of a download. */
export interface FetchProgress {
  readonly file: ModelFile;
  readonly bytes: number;
}

/**
 * Fetches a file into the store, from the first source that has it. The file appears there complete and verified, or
 * not at all. Returns undefined on success, otherwise the problem of each source. Requires exclusive access to the
 * store.
 */
export async function fetchModelFile(
  store: ModelStore,
  model: ModelName,
  file: ModelFile,
  onProgress: (progress: FetchProgress) => void,
): Promise<readonly string[] | undefined> {
  // Only npm installs packages.
  if ('package' in file.origin) return [];
  const path = getModelFilePath(store.directory, model, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const problems: string[] = [];
  for (const source of listSources(store, getModelFolder(model), file)) {
    const unfinished = `${path}.${getPartName(source, file)}.part`;
    try {
      if (isUrl(source))
        await downloadFile({
          url: source,
          path: unfinished,
          bytes: file.bytes,
          isHostFixed: store.isOffline,
          onProgress: (bytes) => onProgress({ file, bytes }),
        });
      else await copyFile(source, unfinished, constants.COPYFILE_FICLONE);
    } catch (error) {
      problems.push(explain(source, error));
      continue;
    }
    if (await isPinnedFile(unfinished, file)) {
      await rename(unfinished, path);
      return undefined;
    }
    problems.push(`${describeSource(source)} has a wrong checksum`);
    await rm(unfinished);
  }
  return store.isOffline && 'url' in file.origin
    ? [...problems, 'HEARTH_OFFLINE prevents the download from the internet']
    : problems;
}

/**
 * Identifies source and checksum, so that a partial file is resumed only from the same source and for the same content.
 */
const getPartName = (source: string, { sha256 }: ModelFile): string =>
  createHash('sha256').update(`${sha256} ${source}`).digest('hex').slice(0, 8);

const isUrl = (source: string): boolean => /^https?:/.test(source);

const listSources = ({ mirror, isOffline }: ModelStore, folder: string, { name, origin }: ModelFile): string[] => [
  ...(mirror === undefined
    ? []
    : [isUrl(mirror) ? `${mirror.replace(/\/+$/, '')}/${folder}/${name}` : join(mirror, folder, name)]),
  ...(!isOffline && 'url' in origin ? [origin.url] : []),
];

const explain = (source: string, error: unknown): string => {
  if (error instanceof DownloadError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return `${describeSource(source)}: ${code === 'ENOENT' ? 'not found' : message}`;
};

/** Returns a path, or a URL without credentials. */
const describeSource = (source: string): string => {
  if (!isUrl(source)) return source;
  const url = new URL(source);
  return `${url.origin}${url.pathname}`;
};
