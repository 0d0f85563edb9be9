import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the manifest of the test media says a correct library makes of a file; `null` where there must be nothing. */
export interface Expected {
  readonly outcome: Outcome;
  readonly outcomeAccepts?: readonly Outcome[];
  /** Fields that are not to be judged. */
  readonly uncertain?: readonly string[];
  readonly reason?: string;
  readonly damaged?: boolean;
  readonly mimeType?: string;
  readonly mimeTypeAccepts?: readonly string[];
  readonly type?: string;
  readonly category?: string;
  readonly width?: number;
  readonly height?: number;
  readonly previewWidth?: number;
  readonly previewHeight?: number;
  readonly animated?: boolean;
  readonly iccProfile?: string | null;
  readonly durationSeconds?: number;
  readonly fps?: number;
  readonly captureTime?: string | null;
  readonly captureTimeFromName?: string;
  readonly captureTimeSource?: string;
  readonly captureTimeUtc?: string;
  readonly utcOffset?: string;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly cameraMake?: string;
  readonly cameraModel?: string;
  readonly focalLength?: number;
  readonly apertureFNumber?: number;
  readonly exposureTime?: number;
  readonly isoEquivalent?: number;
  readonly country?: string;
  readonly stateRegex?: string;
  readonly townRegex?: string;
  readonly postcodeRegex?: string | null;
  readonly contentIdentifier?: string;
  readonly pairedWith?: string;
  readonly sameBytesAs?: readonly string[];
}

/** What becomes of an upload: shown, kept without being shown, or refused. */
export type Outcome = 'READY' | 'FAILED' | '400';

/** A file of the test media. */
export interface MediaFile {
  /** Inside the set, as the manifest names it. */
  readonly name: string;
  readonly path: string;
  /** The folder of the set in which it lies, which says what it is there for. */
  readonly kind: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
  /** Whether a picture made of it may be published; one that asks for its author's name to stand beside it is not. */
  readonly isRedistributable: boolean;
  readonly expected: Expected;
}

const folder = join(process.env['HEARTH_TEST_DATA'] ?? join(import.meta.dirname, '../../../shared'), 'media');

/** For `test(name, { skip: lacksMedia }, …)`: the reason, or false where the media are there. */
export const lacksMedia = existsSync(join(folder, 'MANIFEST.json'))
  ? false
  : 'the test media are not here (HEARTH_TEST_DATA)';

/** Where a file of the test media lies, by the manifest's name. */
export const mediaPath = (name: string): string => join(folder, name);

/** Every file of the test media, in the order of the manifest. @throws where there are none */
export const listMediaFiles = (): MediaFile[] => {
  const manifest = JSON.parse(readFileSync(join(folder, 'MANIFEST.json'), 'utf8')) as { files: ManifestEntry[] };
  return manifest.files.map(({ path, kind, sha256, redistributable, expected }) => ({
    name: path,
    path: mediaPath(path),
    kind,
    sha256,
    isRedistributable: redistributable.startsWith('yes') && !redistributable.includes('unclear'),
    expected,
  }));
};

interface ManifestEntry {
  readonly path: string;
  readonly kind: string;
  readonly sha256: string;
  readonly redistributable: string;
  readonly expected: Expected;
}
