import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExpectedMedia } from '@hearth/core/testing/expectedMedia.ts';

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

// oxlint-disable-next-line node/no-process-env -- no process of ours is configured here: it names the data of the tests
const dataFolder = process.env['HEARTH_TEST_DATA'] ?? join(import.meta.dirname, '../../../../../../shared');

/** The folder of the test media, or undefined where there is none. */
export const mediaFolder = existsSync(join(dataFolder, 'media/MANIFEST.json')) ? join(dataFolder, 'media') : undefined;

/** Why tests of the media have to be skipped (`{ skip: lacksMedia }`); false where the media are there. */
export const lacksMedia = mediaFolder ? false : 'the test media are not here (HEARTH_TEST_DATA)';

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
