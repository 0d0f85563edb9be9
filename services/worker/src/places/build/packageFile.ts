import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Reads a JSON file of an npm package. */
export const readJson = async <Content>(file: string): Promise<Content> =>
  JSON.parse(await readFile(new URL(import.meta.resolve(file)), 'utf8')) as Content;

/** Returns the installed version of an npm package. @param file import specifier of one of its files */
export const packageVersion = async (name: string, file: string): Promise<string> => {
  const path = fileURLToPath(import.meta.resolve(file));
  const folder = path.slice(0, path.lastIndexOf(`node_modules/${name}`) + `node_modules/${name}`.length);
  return (JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as { version: string }).version;
};
