import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExpectedMedia } from './expectedMedia.ts';
import { lacksTestData, testDataFolder } from '../run/testData.ts';

/** What the manifest of the test media expects of a photo or video. */
export interface ExpectedPhoto extends ExpectedMedia {
  readonly mimeType: string;
}

/** A picture or video of the test media. */
export interface TestPhoto {
  /** Inside the set, as the manifest names it. */
  readonly name: string;
  readonly path: string;
  readonly expected: ExpectedPhoto;
}

/** Reason to skip tests of the media (`{ skip: lacksMedia }`), or false. */
export const lacksMedia = lacksTestData('media');

/** Folder of the test media, or undefined if they are missing. */
export const mediaFolder = lacksMedia ? undefined : testDataFolder('media');

/** Every still picture of the test media, in the order of the manifest; none where there are no media. */
export const listTestPhotos = (): TestPhoto[] => listTestFiles('PHOTO');

/** Every video of the test media, likewise. */
export const listTestVideos = (): TestPhoto[] => listTestFiles('VIDEO');

function listTestFiles(type: 'PHOTO' | 'VIDEO'): TestPhoto[] {
  if (!mediaFolder) return [];
  const manifest: { files: { path: string; expected: ExpectedPhoto }[] } = JSON.parse(
    readFileSync(join(mediaFolder, 'MANIFEST.json'), 'utf8'),
  );
  return manifest.files
    .filter(({ expected }) => expected.type === type)
    .map(({ path, expected }) => ({ name: path, path: join(mediaFolder, path), expected }));
}
