import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { ExpectedMedia } from '@hearth/testkit/mediaSet/expectedMedia.ts';
import { explainMissingTestData, getTestDataFolder } from '@hearth/testkit/run/testData.ts';

/** A file of the test media. */
export interface MediaFile {
  /** Path within the test media, as in the manifest. */
  readonly name: string;
  readonly path: string;
  /** File name of the upload. Names that reveal the content are replaced by camera-like ones. */
  readonly uploadName: string;
  /** Folder in the test media, which names the subject of the test. */
  readonly kind: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
  /** True if a picture made from it may be published without attribution next to it. */
  readonly isRedistributable: boolean;
  readonly expected: ExpectedMedia;
}

const folder = getTestDataFolder('media');

/** Reason to skip tests of the media (`{ skip: missingMedia }`), or false. */
export const missingMedia = explainMissingTestData('media');

/** Returns the path of a test media file by its manifest name. */
export const getMediaPath = (name: string): string => join(folder, name);

/** Returns every test media file in manifest order. @throws if the test media are missing */
export const listMediaFiles = (): MediaFile[] => {
  const manifest = JSON.parse(readFileSync(join(folder, 'MANIFEST.json'), 'utf8')) as { files: ManifestEntry[] };
  return manifest.files.map(({ path, kind, sha256, redistributable, expected }, index) => ({
    name: path,
    path: getMediaPath(path),
    uploadName:
      foldersWithMeaningfulNames.has(kind) || foldersWithMeaningfulNames.has(path)
        ? `P1${String(index).padStart(6, '0')}${extname(path)}`
        : basename(path),
    kind,
    sha256,
    isRedistributable: redistributable.startsWith('yes') && !redistributable.includes('unclear'),
    expected,
  }));
};

/**
 * Kinds of files, and one file, with names that reveal the content, place or camera. A search would find them by name.
 */
const foldersWithMeaningfulNames: ReadonlySet<string> = new Set(
  (
    'avif camera-jpeg colour-depth face-count faces formats gps heic jxl metadata orientation panorama places text things ' +
    'things-imagenet video dates/dog_created_1919.jpg'
  ).split(' '),
);

interface ManifestEntry {
  readonly path: string;
  readonly kind: string;
  readonly sha256: string;
  readonly redistributable: string;
  readonly expected: ExpectedMedia;
}
