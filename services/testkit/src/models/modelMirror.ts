import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFileServer, type FileServer, type Respond } from '../servers/fileServer.ts';
import { getTestDataFolder } from '../run/testData.ts';
import { getModelFolder, modelNames, getModel } from '@hearth/inference/models/models.ts';

/**
 * Starts a mirror of the models. Requests for the first file are answered by the first of `responses`, and so on in turn. Files that are missing in
 * the test data have the right length only.
 */
export const startModelMirror = (responses: readonly Respond[]): Promise<FileServer> => {
  const paths: string[] = [];
  return startFileServer(fileAt, ({ path }) => {
    if (!paths.includes(path)) paths.push(path);
    return responses[paths.indexOf(path) % responses.length]!;
  });
};

const fileAt = (path: string): Buffer => {
  const given = join(getTestDataFolder('models'), path);
  if (existsSync(given)) return readFileSync(given);
  for (const name of modelNames)
    for (const file of getModel(name).files)
      if (path.endsWith(`/${getModelFolder(name)}/${file.name}`)) return Buffer.alloc(file.bytes);
  return Buffer.alloc(1_000);
};
