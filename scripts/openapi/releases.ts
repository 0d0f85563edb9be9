import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { readDocument, type Document } from './document.ts';

/** Where the documents of released versions are kept, each in a file of its own. */
const directory = join(import.meta.dirname, '..', '..', 'docs', 'openapi');

/** The file of a version. */
export const releasedPath = (version: string): string => join(directory, `${version}.json`);

/** The document of the contract as it is, as it is written down. */
export const presentJson = (): string =>
  `${JSON.stringify(createOpenApiDocument({ version: apiVersion }), undefined, 2)}\n`;

export const presentDocument = (): Document => readDocument(presentJson());

/** The newest document that was released; undefined before the first. */
export const newestRelease = (): Document | undefined => {
  if (!existsSync(directory)) return undefined;
  const [newest] = readdirSync(directory)
    .map((name) => name.replace('.json', ''))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return newest === undefined ? undefined : readDocument(readFileSync(releasedPath(newest), 'utf8'));
};
