import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { apiVersion } from '@hearth/contract/system.ts';

/** Folder with the documents of released versions. */
const directory = join(import.meta.dirname, '../../docs/openapi');

export const releasedPath = (version: string): string => join(directory, `${version}.json`);

/** Returns the current contract's document as JSON. */
export const presentJson = (): string =>
  `${JSON.stringify(createOpenApiDocument({ version: apiVersion }), undefined, 2)}\n`;

/** Returns the newest released version with its document as JSON, or undefined before the first release. */
export const newestRelease = (): { readonly version: string; readonly json: string } | undefined => {
  const versions = globSync('*.json', { cwd: directory }).map((name) => basename(name, '.json'));
  const version = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return version === undefined ? undefined : { version, json: readFileSync(releasedPath(version), 'utf8') };
};
