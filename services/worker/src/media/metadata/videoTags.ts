import { findNumber, findText, type MediaTags, numberOf } from '../exiftool/mediaTags.ts';

/** The track with the moving picture. */
export interface VideoTrack {
  /** Pixels as stored, before they are turned. */
  readonly width: number;
  readonly height: number;
  /** The EXIF equivalent of its display matrix, 1–8. */
  readonly orientation: number;
  /** Frames per second on average; undefined where the container does not tell. */
  readonly fps: number | undefined;
}

/** The first track with pictures of a video's tags; undefined for a still, and for sound alone. */
export function videoTrack(tags: MediaTags): VideoTrack | undefined {
  if (!isVideo(tags)) return undefined;
  const group = trackGroups(tags).find((each) => isPictures(tags, each));
  if (group === undefined) return undefined;
  const [width, height] = ['Width', 'Height'].map((side) =>
    findNumber(tags, [`${group}:Image${side}`, `${group}:SourceImage${side}`], { min: 1, max: 2 ** 31 - 1 }),
  );
  if (width === undefined || height === undefined) return undefined;
  return {
    width: Math.round(width),
    height: Math.round(height),
    orientation: orientationOfMatrix(tags, group),
    fps: findNumber(tags, [`${group}:VideoFrameRate`, 'RIFF:VideoFrameRate', 'RIFF:FrameRate'], frameRates),
  };
}

/** How long a video plays, in seconds; undefined for a still. */
export function readDuration(tags: MediaTags): number | undefined {
  if (!isVideo(tags)) return undefined;
  return (
    findNumber(tags, durationTags, durations) ??
    trackGroups(tags)
      .flatMap((group) => findNumber(tags, [`${group}:TrackDuration`], durations) ?? [])
      .toSorted((a, b) => b - a)[0]
  );
}

/** How many frames a second the camera took, where it says so; a slow or fast motion is played at another rate. */
export const readCaptureRate = (tags: MediaTags): number | undefined =>
  findNumber(tags, ['Keys:AndroidCaptureFPS'], captureRates) ??
  // `100p`, `59.94i`
  findNumber(
    { rate: findText(tags, 'XML:VideoFormatVideoFrameCaptureFps')?.replace(/[pi]$/, '') },
    ['rate'],
    captureRates,
  );

/**
 * Matroska rounds a frame to milliseconds and then claims 1,000 a second; no camera of a family plays more than 960. Fewer
 * than one a second is what a container says of a single picture.
 */
const frameRates = { min: 0.1, max: 960 };
/** A time lapse takes one picture in minutes; the fastest phones take 7,680 a second. */
const captureRates = { min: 1e-4, max: 10_000 };
/** Seconds: a single frame … a year. */
const durations = { min: 1e-3, max: 366 * 24 * 60 * 60 };

/** The tags with the length of a whole container, by exiftool's groups. */
const durationTags = [
  'QuickTime:Duration',
  'Info:Duration',
  'Composite:Duration',
  'RIFF:Duration',
  'M2TS:Duration',
  'ASF:PlayDuration',
  'Flash:Duration',
];

/** Whether exiftool calls the file a video; RAW files and HEIC come in the same container as MOV. */
const isVideo = (tags: MediaTags): boolean => videoTypes.has(findText(tags, 'File:FileType') ?? '');

const videoTypes: ReadonlySet<string> = new Set(
  '3G2 3GP ASF AVI DIVX DV F4V FLV INSV LRV M2T M2TS M4A M4P M4V MKV MOV MP4 MPEG MQV MTS MXF OGV QT RM RMVB TS VOB WEBM WMV WTV'.split(
    ' ',
  ),
);

/** `Track1`, `Track2` … in their order; containers without tracks keep the picture's size in their own group. */
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

const isPictures = (tags: MediaTags, group: string): boolean =>
  (findText(tags, `${group}:HandlerType`) ?? 'vide') === 'vide' &&
  ['ImageWidth', 'SourceImageWidth'].some((name) => numberOf(tags, `${group}:${name}`) >= 1);

type Matrix = readonly [a: number, b: number, c: number, d: number];

/** The track's matrix, then the movie's: (x, y) is shown at (ax + cy, bx + dy), y downwards (ISO/IEC 14496-12, 8.3.2). */
function orientationOfMatrix(tags: MediaTags, group: string): number {
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
