import type { ExpectedMedia, Outcome } from '@hearth/testkit/mediaSet/expectedMedia.ts';
import {
  degrees,
  duration,
  frameRate,
  onePercent,
  sameSecond,
  within,
  type Agrees,
} from '@hearth/testkit/mediaSet/tolerances.ts';
import { miniatureDistance } from './miniature.ts';
import { readMp4 } from './playableMp4.ts';
import type { Shown } from './shown.ts';

/** An expected and an actual value of one file. */
export interface ComparedValue {
  /** Field name in the manifest, or our own name for a value that every file must have. */
  readonly field: string;
  readonly expected: string;
  readonly found: string;
  readonly agrees: boolean;
}

/** Result of uploading a file. */
export interface Uploaded {
  /** Miniature of the expected picture, made by other decoders or checked by eye. */
  readonly reference: string | undefined;
  readonly status: number;
  /** The file as the library shows it. Undefined if the upload was rejected. */
  readonly shown: Shown | undefined;
  readonly sha256: string;
  /** True if uploads of files with the same bytes all returned the same id. */
  readonly hasIdOfDuplicates: boolean;
  /** True if the original is RGB, so that the preview must keep its colour profile. Grayscale and CMYK are converted. */
  readonly isRgb: boolean;
}

/** Returns the outcome of an upload in the manifest's terms. */
export const getOutcome = ({ status, shown }: Pick<Uploaded, 'status' | 'shown'>): Outcome | 'UNFINISHED' => {
  if (shown === undefined) return status === 400 ? '400' : 'UNFINISHED';
  const { status: found } = shown.item;
  return found === 'READY' || found === 'FAILED' ? found : 'UNFINISHED';
};

/**
 * Compares every value of a file in the manifest with the library, within the tolerances of the manifest's
 * `expectedLegend`. Values marked uncertain are skipped. Pictures are compared only for READY items.
 */
export const compareMedia = (expected: ExpectedMedia, uploaded: Uploaded): ComparedValue[] => {
  const outcome = getOutcome(uploaded);
  const compared: ComparedValue[] = [];
  const add: Add = (field, found, wanted, agrees = Object.is) => {
    if (expected.uncertain?.includes(field)) return;
    compared.push({
      field,
      expected: String(wanted ?? undefined),
      found: String(found),
      agrees: agrees(found, wanted ?? undefined),
    });
  };

  const accepted = expected.outcomeAccepts ?? [expected.outcome];
  compared.push({
    field: 'outcome',
    expected: accepted.join(' or '),
    found: outcome,
    agrees: accepted.some((each) => each === outcome),
  });
  const { shown } = uploaded;
  if (shown === undefined) return compared;
  const { item } = shown;
  add('original', shown.originalSha256, uploaded.sha256);
  if (expected.sameBytesAs !== undefined) add('sameBytesAs', uploaded.hasIdOfDuplicates, true);
  if (expected.type !== undefined) add('type', item.mediaItemType, expected.type);
  if (expected.mimeType !== undefined) {
    add('mimeType', item.mimeType, [expected.mimeType, ...(expected.mimeTypeAccepts ?? [])].join(), isOneOf);
  }
  for (const [field, { read, agrees }] of metadataFields) {
    // `captureTimeFromName` covers times that come only from the file name.
    if (field === 'captureTime' && expected.captureTimeFromName !== undefined) continue;
    if (field in expected) add(field, read(item, expected), expected[field], agrees);
  }
  if (expected.country !== undefined) comparePlace(expected, shown.place, add);
  if (outcome === 'READY') comparePictures(expected, uploaded, shown, add);
  if (outcome === 'FAILED') {
    const reasons = item.processing.flatMap(({ state, reason }) => (state === 'FAILED' ? [reason] : []));
    const isNamed = ['TOO_LARGE', 'UNSUPPORTED'].includes(expected.reason ?? '');
    if (isNamed && accepted.length === 1) add('reason', reasons[0], expected.reason);
    else add('has a reason', reasons.length > 0 && reasons.every((reason) => reason !== 'INTERNAL'), true);
  }
  return compared;
};

type Value = string | number | boolean | null | undefined;
type Add = (field: string, found: Value, wanted: Value, agrees?: Agrees) => void;

const isOneOf: Agrees = (found, list) => String(list).split(',').includes(String(found));

interface Field {
  readonly read: (item: Shown['item'], expected: ExpectedMedia) => Value;
  readonly agrees?: Agrees;
}

/**
 * Returns the capture time shown by the library, or undefined if it is only the upload time, the fallback for files
 * without one.
 */
const getCaptureTime = ({ creationTime, createdAt }: Shown['item'], text: string): string | undefined =>
  Math.abs(Date.parse(creationTime) - Date.parse(createdAt)) < 1_000 ? undefined : text;

const readers = {
  category: { read: ({ mediaItemCategory }) => mediaItemCategory },
  width: { read: ({ width }) => width },
  height: { read: ({ height }) => height },
  durationSeconds: {
    read: ({ durationSeconds }) => durationSeconds,
    agrees: duration,
  },
  fps: { read: ({ fps }) => fps, agrees: frameRate },
  captureTime: {
    // The manifest gives QuickTime times in UTC, as stored. The library shows them in local time.
    read: (item, { captureTimeSource }) =>
      getCaptureTime(item, captureTimeSource === 'QuickTime:CreateDate' ? item.creationTime : item.localTime),
    agrees: sameSecond,
  },
  captureTimeFromName: { read: (item) => getCaptureTime(item, item.localTime), agrees: sameSecond },
  captureTimeUtc: { read: (item) => getCaptureTime(item, item.creationTime), agrees: sameSecond },
  utcOffset: { read: ({ utcOffset }) => utcOffset },
  latitude: { read: ({ latitude }) => latitude, agrees: degrees },
  longitude: { read: ({ longitude }) => longitude, agrees: degrees },
  cameraMake: { read: ({ cameraMake }) => cameraMake },
  cameraModel: { read: ({ cameraModel }) => cameraModel },
  focalLength: { read: ({ focalLength }) => focalLength, agrees: onePercent },
  apertureFNumber: { read: ({ apertureFNumber }) => apertureFNumber, agrees: onePercent },
  exposureTime: { read: ({ exposureTime }) => exposureTime, agrees: onePercent },
  isoEquivalent: { read: ({ isoEquivalent }) => isoEquivalent, agrees: onePercent },
} as const satisfies Partial<Record<keyof ExpectedMedia, Field>>;
const metadataFields = Object.entries(readers) as [keyof typeof readers, Field][];

/** Longer side in pixels. Smaller originals are not enlarged. */
const longerSide = { preview: 1_440, thumbnail: 320 } as const;

const comparePictures = (expected: ExpectedMedia, { isRgb, reference }: Uploaded, shown: Shown, add: Add): void => {
  const { item, thumbnail, preview, poster, motionType } = shown;
  const isVideo = item.mediaItemType === 'VIDEO';
  const still = isVideo ? poster : preview;
  const isRaw = expected.previewWidth !== undefined || /^image\/x-(?!ms-bmp)/.test(item.mimeType);
  // The preview of a RAW file has the size of the camera's embedded JPEG.
  const { width = 0, height = 0 } = isRaw ? (preview ?? item) : item;
  const isAnimated = expected.animated === true;
  add('thumbnail', formatSize(thumbnail), fitSize({ width, height }, longerSide.thumbnail), isNearly);
  if (expected.previewWidth !== undefined) {
    add('preview', formatSize(preview), `${expected.previewWidth}×${expected.previewHeight}`);
  } else if (!isRaw && !isAnimated) {
    add(isVideo ? 'poster' : 'preview', formatSize(still), fitSize({ width, height }, longerSide.preview), isNearly);
  }
  if (reference !== undefined) {
    add('thumbnail appearance', getDistance(thumbnail, reference), maxMiniatureDistance, isAtMost);
    const field = isVideo ? 'poster appearance' : 'preview appearance';
    add(field, getDistance(still, reference), maxMiniatureDistance, isAtMost);
  }
  if (isVideo) comparePlayable(preview, item.durationSeconds, add);
  if (expected.animated !== undefined) add('animated', (preview?.frames ?? 1) > 1, expected.animated);
  if (expected.iccProfile !== undefined && !isRaw && !isAnimated && isRgb) {
    add('iccProfile', preview?.profileName, expected.iccProfile);
  }
  const warnings = item.processing.flatMap((run) => run.warnings ?? []);
  add('damaged', warnings.includes('DAMAGED') || undefined, expected.damaged);
  if (expected.contentIdentifier !== undefined && expected.pairedWith !== undefined) {
    if (isVideo) add('pairedWith', shown.isListed ? 'in lists' : 'not in lists', 'not in lists');
    else add('pairedWith', motionType, 'video/mp4,video/quicktime', isOneOf);
  } else {
    add('in lists', shown.isListed, true);
    // The motion part of a damaged file may be missing or too short to play.
    if (expected.category === 'MOTION' && !expected.damaged) add('motion', motionType, 'video/mp4');
  }
};

const formatSize = (picture: Shown['preview']): string => `${picture?.width}×${picture?.height}`;

/**
 * Maximum distance between miniatures of the same picture. Scaling, WebP and other decoders stay below it; rotation,
 * mirroring and inversion far exceed it.
 */
const maxMiniatureDistance = 5;

const isAtMost: Agrees = (found, limit) => typeof found === 'number' && found <= Number(limit);

const getDistance = (picture: Shown['preview'], reference: string): number | undefined =>
  picture?.miniature === undefined ? undefined : miniatureDistance(picture.miniature, reference);

/** Checks that browsers can play a preview: MP4 with H.264 plays in every browser. */
const comparePlayable = (preview: Shown['preview'], durationSeconds: number | undefined, add: Add): void => {
  const mp4 = preview && readMp4(preview.bytes);
  add('preview', preview?.mimeType, 'video/mp4');
  add('codec of the preview', mp4?.codecs.includes('avc1'), true);
  if (durationSeconds !== undefined) {
    add(
      'length of the preview',
      mp4?.durationSeconds,
      durationSeconds,
      within((seconds) => Math.max(0.5, seconds * 0.05)),
    );
  }
};

const fitSize = ({ width, height }: { readonly width: number; readonly height: number }, side: number): string => {
  const scale = Math.min(1, side / Math.max(width, height, 1));
  return `${Math.round(width * scale)}×${Math.round(height * scale)}`;
};

/** Decoders that scale while reading may round the other way. */
const isNearly: Agrees = (found, expected) => {
  const [a, b] = [found, expected].map((size) => String(size).split('×').map(Number));
  return a!.every((length, i) => Math.abs(length - b![i]!) <= 1);
};

const matches: Agrees = (found, pattern) => new RegExp(String(pattern)).test(typeof found === 'string' ? found : '');

const comparePlace = (expected: ExpectedMedia, place: Shown['place'], add: Add): void => {
  add('country', place?.countryCode, expected.country);
  add('state', place?.state ?? undefined, expected.stateRegex, matches);
  add('town', place?.town ?? undefined, expected.townRegex, matches);
  if (expected.postcodeRegex) add('postcode', place?.postcode ?? undefined, expected.postcodeRegex, matches);
};
