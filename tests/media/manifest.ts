import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { ExpectedMedia } from '@hearth/testkit/mediaSet/expectedMedia.ts';
import { lacksTestData, testDataFolder } from '@hearth/testkit/run/testData.ts';

/** A file of the test media. */
export interface MediaFile {
  /** Inside the set, as the manifest names it. */
  readonly name: string;
  readonly path: string;
  /** What the file is called when it is uploaded: as in the set, or as a camera would call it where its name there says what is to be found in it. */
  readonly uploadName: string;
  /** The folder of the set in which it lies, which says what it is there for. */
  readonly kind: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
  /** Whether a picture made of it may be published; one that asks for its author's name to stand beside it is not. */
  readonly isRedistributable: boolean;
  readonly expected: ExpectedMedia;
}

const folder = testDataFolder('media');

/** Reason to skip tests of the media (`{ skip: lacksMedia }`), or false. */
export const lacksMedia = lacksTestData('media');

/** Where a file of the test media lies, by the manifest's name. */
export const mediaPath = (name: string): string => join(folder, name);

/** Every file of the test media, in the order of the manifest. @throws where there are none */
export const listMediaFiles = (): MediaFile[] => {
  const manifest = JSON.parse(readFileSync(join(folder, 'MANIFEST.json'), 'utf8')) as { files: ManifestEntry[] };
  return manifest.files.map(({ path, kind, sha256, redistributable, expected }, index) => ({
    name: path,
    path: mediaPath(path),
    uploadName:
      tellingNames.has(kind) || tellingNames.has(path)
        ? `P1${String(index).padStart(6, '0')}${extname(path)}`
        : basename(path),
    kind,
    sha256,
    isRedistributable: redistributable.startsWith('yes') && !redistributable.includes('unclear'),
    expected,
  }));
};

/** Kinds of files, and a file, that are called what they show, or where, or by what they were taken: a search would find them by their names. */
const tellingNames: ReadonlySet<string> = new Set(
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
