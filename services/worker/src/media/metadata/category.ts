import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { findNumber, findText, type MediaTags, toNumber } from '../exiftool/mediaTags.ts';
import { readCaptureRate, readVideoTrack } from './videoTags.ts';

/** File properties other than tags. */
export interface CategoryContext {
  readonly filename: string;
  /** True if a video was found in the photo's file; see `findMotionVideo`. */
  readonly hasMotionVideo: boolean;
}

/** A category and its marker. */
interface Rule {
  readonly category: MediaItemRow['category'];
  /** Description of the marker, for the documentation. */
  readonly marker: string;
  readonly matches: (tags: MediaTags, context: CategoryContext) => boolean;
}

/** Returns the category of the first matching rule. `LIVE` means that the file may be half of a Live Photo. */
export const findCategory = (tags: MediaTags, context: CategoryContext): MediaItemRow['category'] =>
  findFirstMatch(categoryRules, tags, context);

/** Returns the category of the first matching rule other than `LIVE`, for a file without its other half. */
export const findUnpairedCategory = (tags: MediaTags, context: CategoryContext): MediaItemRow['category'] =>
  findFirstMatch(
    categoryRules.filter(({ category }) => category !== 'LIVE'),
    tags,
    context,
  );

const findFirstMatch = (rules: readonly Rule[], tags: MediaTags, context: CategoryContext): MediaItemRow['category'] =>
  rules.find(({ matches }) => matches(tags, context))?.category ?? 'DEFAULT';

/** Apple's tags with the id that the photo and the video of a Live Photo share. */
export const contentIdentifierTags = ['Apple:ContentIdentifier', 'Keys:ContentIdentifier'] as const;

/** Minimum frame rate of slow motion. 50 and 60 are common for normal videos. */
const slowFps = 100;
/** Minimum ratio of recording rate to playback rate of slow motion; inverse for time lapse. */
const minRateRatio = 1.9;

/** Markers written by cameras, phones and programs, in order of precedence. */
export const categoryRules: readonly Rule[] = [
  {
    category: 'LIVE',
    marker:
      'Apple’s content identifier in the maker notes of a photo or the `Keys` of a video, if the library has both',
    matches: (tags) => findText(tags, ...contentIdentifierTags) !== undefined,
  },
  {
    category: 'MOTION',
    marker:
      'A video embedded in a photo or appended to it: Google’s `MotionPhoto` or `MicroVideo`, an `mpvd` box, Samsung’s trailer',
    matches: (tags, { hasMotionVideo }) => hasMotionVideo && readVideoTrack(tags) === undefined,
  },
  {
    category: 'SLOW',
    marker: `A video recorded at least ${minRateRatio} times as fast as it is played, according to the camera, or with ${slowFps} frames per second or more (unless Apple’s full-frame-rate playback intent says otherwise)`,
    matches: (tags) => {
      const track = readVideoTrack(tags);
      if (track === undefined) return false;
      const [taken, played] = [readCaptureRate(tags), track.fps];
      // Below half of `slowFps`, a large ratio may come from dropped frames.
      if (taken !== undefined && taken >= slowFps / 2 && taken >= (played ?? Infinity) * minRateRatio) return true;
      return (
        (played ?? 0) >= slowFps &&
        findNumber(tags, ['Keys:FullFrameRatePlaybackIntent'], { min: 1, max: 1 }) === undefined
      );
    },
  },
  {
    category: 'TIMELAPSE',
    marker: `A video recorded at least ${minRateRatio} times slower than it is played, according to the camera`,
    matches: (tags) => {
      const [taken, played] = [readCaptureRate(tags), readVideoTrack(tags)?.fps];
      return taken !== undefined && played !== undefined && taken * minRateRatio <= played;
    },
  },
  {
    category: 'PANORAMA',
    marker: '`ProjectionType` of Google’s photo spheres (also partial ones), or 6 in `CustomRendered` (Apple)',
    matches: (tags) =>
      findText(tags, 'XMP-GPano:ProjectionType') !== undefined || toNumber(tags, 'ExifIFD:CustomRendered') === 6,
  },
  {
    category: 'SCREENSHOT',
    marker:
      '`Screenshot` as `UserComment` (Apple) or in the name of the program that made a PNG; otherwise a file name that starts with it (Android) if no camera is recorded',
    matches: (tags, { filename }) =>
      screenshotComment.test(findText(tags, 'ExifIFD:UserComment', 'XMP-exif:UserComment') ?? '') ||
      screenshotWord.test(findText(tags, 'PNG:Software') ?? '') ||
      (screenshotName.test(filename) &&
        findText(tags, 'IFD0:Make', 'IFD0:Model') === undefined &&
        readVideoTrack(tags) === undefined),
  },
];

const screenshotComment = /^screenshot$/i;
const screenshotWord = /screen-?shot/i;
/** `Screenshot_2024-02-01-10-20-30.png`, `Screenshot 2024-02-01 at 10.20.30.png`, `Screen Shot 2019-…`: a date must follow. */
const screenshotName = /^screen[ _-]?shot[ _-]*(?:from[ _])?(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d/i;
