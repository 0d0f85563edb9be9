import { degrees, duration, frameRate, onePercent, sameSecond, type Agrees } from './tolerances.ts';
import type { PhotoMetadata } from '@hearth/worker/media/metadata/readMetadata.ts';
import { formatOffset } from './comparePhoto.ts';
import type { ExpectedPhoto } from './mediaSet.ts';

/** Fields of METADATA that are checked, by their names in the manifest. */
export const comparedFields = [
  'width',
  'height',
  'orientation',
  'category',
  'durationSeconds',
  'fps',
  'captureTime',
  'captureTimeUtc',
  'captureTimeFromName',
  'utcOffset',
  'latitude',
  'longitude',
  'cameraMake',
  'cameraModel',
  'focalLength',
  'apertureFNumber',
  'exposureTime',
  'isoEquivalent',
] as const;
type ComparedName = (typeof comparedFields)[number];

/** Expected and actual value of a field of a file. */
export interface ComparedField {
  readonly field: ComparedName;
  readonly expected: string;
  readonly found: string;
  readonly agrees: boolean;
}

/**
 * Compares all fields of METADATA that the manifest lists for a file, with the tolerances of its `expectedLegend`. Skips
 * fields that the manifest lists as uncertain.
 */
export function compareMetadata(expected: ExpectedPhoto, found: PhotoMetadata): ComparedField[] {
  return comparedFields.flatMap((field) => {
    if (!(field in expected) || expected.uncertain?.includes(field)) return [];
    const { read, agrees = Object.is } = fields[field];
    const value = read(found, expected);
    const expectedValue = expected[field] ?? undefined;
    return { field, expected: String(expectedValue), found: String(value), agrees: agrees(value, expectedValue) };
  });
}

interface Field {
  readonly read: (found: PhotoMetadata, expected: ExpectedPhoto) => unknown;
  readonly agrees?: Agrees;
}

const fields: Readonly<Record<ComparedName, Field>> = {
  width: { read: ({ width }) => width },
  height: { read: ({ height }) => height },
  orientation: { read: ({ orientation }) => orientation },
  category: { read: ({ category }) => category },
  durationSeconds: {
    read: (found) => found.duration,
    agrees: duration,
  },
  fps: { read: ({ fps }) => fps, agrees: frameRate },
  captureTime: {
    // The manifest gives QuickTime's instants in UTC, as they are stored. Hearth converts them to local time.
    read: ({ captureTime }, { captureTimeSource }) =>
      captureTimeSource === 'QuickTime:CreateDate' ? captureTime?.takenAt.toISOString() : captureTime?.localTime,
    agrees: sameSecond,
  },
  captureTimeUtc: { read: ({ captureTime }) => captureTime?.takenAt.toISOString(), agrees: sameSecond },
  captureTimeFromName: { read: ({ captureTime }) => captureTime?.localTime, agrees: sameSecond },
  utcOffset: { read: ({ captureTime }) => formatOffset(captureTime?.utcOffsetMinutes) },
  latitude: { read: ({ position }) => position?.latitude, agrees: degrees },
  longitude: { read: ({ position }) => position?.longitude, agrees: degrees },
  cameraMake: { read: ({ cameraMake }) => cameraMake },
  cameraModel: { read: ({ cameraModel }) => cameraModel },
  focalLength: { read: ({ focalLength }) => focalLength, agrees: onePercent },
  apertureFNumber: { read: ({ apertureFNumber }) => apertureFNumber, agrees: onePercent },
  exposureTime: { read: ({ exposureTime }) => exposureTime, agrees: onePercent },
  isoEquivalent: { read: ({ isoEquivalent }) => isoEquivalent, agrees: onePercent },
};
