import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lacksTestData, testDataFolder } from '../run/testData.ts';

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

const media = testDataFolder('media');

/** Reason to skip tests that need the files, or false. */
export const lacksPlacePhotos = lacksTestData('media');

export const listPlacePhotos = (): PlacePhoto[] => {
  const { files } = JSON.parse(readFileSync(join(media, 'MANIFEST.json'), 'utf8')) as {
    files: (PlacePhoto & { readonly kind: string })[];
  };
  return files
    .filter(({ kind }) => kind === 'places')
    .map(({ path, expected }) => ({ path: join(media, path), expected }));
};
