import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testData } from './judgePlaces.ts';

/** A file of the test media with a position, and patterns for where that is. */
export interface PlacePhoto {
  readonly path: string;
  readonly expected: {
    readonly country: string;
    readonly stateRegex: string;
    readonly townRegex: string;
    readonly postcodeRegex: string | null;
  };
}

const manifest = join(testData, 'media', 'MANIFEST.json');

/** Why tests that need the files have to be skipped; false where they are there. */
export const lacksPlacePhotos: string | false = existsSync(manifest) ? false : `there is no ${manifest}`;

export const listPlacePhotos = (): PlacePhoto[] => {
  const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as { files: (PlacePhoto & { readonly kind: string })[] };
  return files
    .filter(({ kind }) => kind === 'places')
    .map(({ path, expected }) => ({ path: join(testData, 'media', path), expected }));
};
