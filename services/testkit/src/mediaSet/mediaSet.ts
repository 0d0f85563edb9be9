import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExpectedMedia } from './expectedMedia.ts';
import { explainMissingTestData, getTestDataFolder } from '../run/testData.ts';

/** Expectations of a photo or video in the manifest of the test media. */
export interface ExpectedPhoto extends ExpectedMedia {
  readonly mimeType: string;
}

/** A picture or video of the test media. */
export interface TestPhoto {
  /** Path in the set, as in the manifest. */
  readonly name: string;
  readonly path: string;
  readonly expected: ExpectedPhoto;
}

/** Reason to skip tests of the media (`{ skip: lacksMedia }`), or false. */
export const lacksMedia = explainMissingTestData('media');

/** Folder of the test media, or undefined if they are missing. */
export const mediaFolder = lacksMedia ? undefined : getTestDataFolder('media');

/** Returns all still pictures of the test media, in the order of the manifest; none if the media are missing. */
export const listTestPhotos = (): TestPhoto[] => listTestFiles(({ type }) => type === 'PHOTO');

/** Returns all videos of the test media, in the order of the manifest; none if the media are missing. */
export const listTestVideos = (): TestPhoto[] => listTestFiles(({ type }) => type === 'VIDEO');

/** Returns the files of the test media with such expectations, in the order of the manifest; none if the media are missing. */
export function listTestFiles(isWanted: (expected: ExpectedPhoto) => boolean): TestPhoto[] {
  if (!mediaFolder) return [];
  const manifest: { files: { path: string; expected: ExpectedPhoto }[] } = JSON.parse(
    readFileSync(join(mediaFolder, 'MANIFEST.json'), 'utf8'),
  );
  return manifest.files
    .filter(({ expected }) => isWanted(expected))
    .map(({ path, expected }) => ({ name: path, path: join(mediaFolder, path), expected }));
}
