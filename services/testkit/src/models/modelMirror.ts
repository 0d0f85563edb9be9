import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFileServer, type FileServer, type Respond } from '../servers/fileServer.ts';
import { getTestDataFolder } from '../run/testData.ts';
import { getModelFolder, modelNames, getModel } from '@hearth/inference/models/models.ts';

/**
 * Starts a mirror of the models. The first requested file gets the first of `responses`, the second file the second one,
 * and so on in turn. Files that are missing in the test data contain zeros of the right length.
 */
export const startModelMirror = (responses: readonly Respond[]): Promise<FileServer> => {
  const paths: string[] = [];
  return startFileServer(readModelFile, ({ path }) => {
    if (!paths.includes(path)) paths.push(path);
    return responses[paths.indexOf(path) % responses.length]!;
  });
};

const readModelFile = (path: string): Buffer => {
  const testFile = join(getTestDataFolder('models'), path);
  if (existsSync(testFile)) return readFileSync(testFile);
  for (const name of modelNames)
    for (const file of getModel(name).files)
      if (path.endsWith(`/${getModelFolder(name)}/${file.name}`)) return Buffer.alloc(file.bytes);
  return Buffer.alloc(1_000);
};
