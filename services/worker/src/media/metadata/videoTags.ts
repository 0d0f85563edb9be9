import { findNumber, findText, type MediaTags, toNumber } from '../exiftool/mediaTags.ts';

export interface VideoTrack {
  /** In pixels as stored, before rotation. */
  readonly width: number;
  readonly height: number;
  /** EXIF orientation that equals its display matrix, 1 to 8. */
  readonly orientation: number;
  /** Average frame rate; undefined if the container does not state it. */
  readonly fps: number | undefined;
}

/** Returns the first video track; undefined for a still picture or audio alone. */
export function readVideoTrack(tags: MediaTags): VideoTrack | undefined {
  if (!isVideo(tags)) return undefined;
  const group = trackGroups(tags).find((each) => isPictureTrack(tags, each));
  if (group === undefined) return undefined;
  const [width, height] = ['Width', 'Height'].map((side) =>
    findNumber(tags, [`${group}:Image${side}`, `${group}:SourceImage${side}`], { min: 1, max: 2 ** 31 - 1 }),
  );
  if (width === undefined || height === undefined) return undefined;
  return {
    width: Math.round(width),
    height: Math.round(height),
    orientation: computeOrientation(tags, group),
    fps: findNumber(tags, [`${group}:VideoFrameRate`, 'RIFF:VideoFrameRate', 'RIFF:FrameRate'], frameRates),
  };
}

/** Returns the duration of a video in seconds; undefined for a still picture. */
export function readDuration(tags: MediaTags): number | undefined {
  if (!isVideo(tags)) return undefined;
  return (
    findNumber(tags, durationTags, durations) ??
    trackGroups(tags)
      .flatMap((group) => findNumber(tags, [`${group}:TrackDuration`], durations) ?? [])
      .toSorted((a, b) => b - a)[0]
  );
}

/** Returns the recording frame rate, if the camera states it. Slow motion and time lapse are played at another rate. */
export const readCaptureRate = (tags: MediaTags): number | undefined =>
  findNumber(tags, ['Keys:AndroidCaptureFPS'], captureRates) ??
  // Sony writes values such as `100p` or `59.94i`.
  findNumber(
    { rate: findText(tags, 'XML:VideoFormatVideoFrameCaptureFps')?.replace(/[pi]$/, '') },
    ['rate'],
    captureRates,
  );

/**
 * Plausible playback rates. Matroska rounds the duration of a frame to milliseconds, which gives 1,000 per second. No consumer camera's videos play
 * at more than 960. Files with a single picture state less than 0.1.
 */
const frameRates = { min: 0.1, max: 960 };
/** Plausible recording rates. A time lapse may take one picture every few minutes. The fastest phones take 7,680 per second. */
const captureRates = { min: 1e-4, max: 10_000 };
/** Plausible durations in seconds: from a single frame to a year. */
const durations = { min: 1e-3, max: 366 * 24 * 60 * 60 };

/** Tags with the duration of a container, by exiftool's groups. */
const durationTags = [
  'QuickTime:Duration',
  'Info:Duration',
  'Composite:Duration',
  'RIFF:Duration',
  'M2TS:Duration',
  'ASF:PlayDuration',
  'Flash:Duration',
];

/** True if exiftool detects a video. RAW files and HEIC use the same container as MOV. */
const isVideo = (tags: MediaTags): boolean => videoTypes.has(findText(tags, 'File:FileType') ?? '');

const videoTypes: ReadonlySet<string> = new Set(
  '3G2 3GP ASF AVI DIVX DV F4V FLV INSV LRV M2T M2TS M4A M4P M4V MKV MOV MP4 MPEG MQV MTS MXF OGV QT RM RMVB TS VOB WEBM WMV WTV'.split(
    ' ',
  ),
);

/** Returns the groups of the tracks (`Track1`, `Track2`) in numeric order, then the groups of containers without tracks. */
const trackGroups = (tags: MediaTags): string[] => {
  const groups = Object.keys(tags).flatMap((name) => /^(Track\d+):/.exec(name)?.[1] ?? []);
  return [
    ...[...new Set(groups)].toSorted((a, b) => Number(a.slice(5)) - Number(b.slice(5))),
    'File',
    'RIFF',
    'H264',
    'MPEG',
    'ASF',
    'Flash',
  ];
};

const isPictureTrack = (tags: MediaTags, group: string): boolean =>
  (findText(tags, `${group}:HandlerType`) ?? 'vide') === 'vide' &&
  ['ImageWidth', 'SourceImageWidth'].some((name) => toNumber(tags, `${group}:${name}`) >= 1);

type Matrix = readonly [a: number, b: number, c: number, d: number];

/** Applies the track's matrix, then the movie's: (x, y) is shown at (ax + cy, bx + dy), y downwards (ISO/IEC 14496-12, 8.3.2). */
function computeOrientation(tags: MediaTags, group: string): number {
  const [ta, tb, tc, td] = readMatrix(tags, group);
  const [ma, mb, mc, md] = readMatrix(tags, 'QuickTime');
  const [a, b, c, d] = [ta * ma + tb * mc, ta * mb + tb * md, tc * ma + td * mc, tc * mb + td * md].map(Math.sign);
  const key = `${a} ${b} ${c} ${d}`.replaceAll('-0', '0');
  return orientations[key] ?? 1;
}

const orientations: Readonly<Record<string, number>> = {
  '1 0 0 1': 1,
  '-1 0 0 1': 2,
  '-1 0 0 -1': 3,
  '1 0 0 -1': 4,
  '0 1 1 0': 5,
  '0 1 -1 0': 6,
  '0 -1 -1 0': 7,
  '0 -1 1 0': 8,
};

function readMatrix(tags: MediaTags, group: string): Matrix {
  const numbers = (findText(tags, `${group}:MatrixStructure`) ?? '').split(/\s+/).map(Number);
  const [a, b, , c, d] = numbers;
  if (numbers.length !== 9 || a === undefined || b === undefined || c === undefined || d === undefined)
    return [1, 0, 0, 1];
  return [a, b, c, d];
}
