import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { apiVersion } from '@hearth/contract/system.ts';

/** The folder of the documents of released versions. */
const directory = join(import.meta.dirname, '../../docs/openapi');

/** The file of a version. */
export const releasedPath = (version: string): string => join(directory, `${version}.json`);

/** The document of the contract as it is, as JSON. */
export const presentJson = (): string =>
  `${JSON.stringify(createOpenApiDocument({ version: apiVersion }), undefined, 2)}\n`;

/** The newest released version and its document as JSON; undefined before the first. */
export const newestRelease = (): { readonly version: string; readonly json: string } | undefined => {
  const versions = globSync('*.json', { cwd: directory }).map((name) => basename(name, '.json'));
  const version = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return version === undefined ? undefined : { version, json: readFileSync(releasedPath(version), 'utf8') };
};
