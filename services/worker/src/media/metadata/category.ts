import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { findNumber, findText, type MediaTags, numberOf } from '../exiftool/mediaTags.ts';
import { readCaptureRate, videoTrack } from './videoTags.ts';

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
  readonly fits: (tags: MediaTags, context: CategoryContext) => boolean;
}

/** Returns the category of the first matching rule. `LIVE` means that the file may be half of a Live Photo. */
export const findCategory = (tags: MediaTags, context: CategoryContext): MediaItemRow['category'] =>
  firstFit(categoryRules, tags, context);

/** Returns the category of a file whose other half is missing: that of the first matching rule, except `LIVE`. */
export const findUnpairedCategory = (tags: MediaTags, context: CategoryContext): MediaItemRow['category'] =>
  firstFit(
    categoryRules.filter(({ category }) => category !== 'LIVE'),
    tags,
    context,
  );

const firstFit = (rules: readonly Rule[], tags: MediaTags, context: CategoryContext): MediaItemRow['category'] =>
  rules.find(({ fits }) => fits(tags, context))?.category ?? 'DEFAULT';

/** Apple's tags with the id that the photo and the video of a Live Photo share. */
export const contentIdentifierTags = ['Apple:ContentIdentifier', 'Keys:ContentIdentifier'] as const;

/** Minimum frame rate of slow motion. 50 and 60 are common for normal videos. */
const slowFps = 100;
/** Minimum ratio of recording rate to playback rate of slow motion; inverse for time lapse. */
const rateRatio = 1.9;

/** Markers written by cameras, phones and programs, in order of precedence. */
export const categoryRules: readonly Rule[] = [
  {
    category: 'LIVE',
    marker:
      'Apple’s content identifier in the maker notes of a photo or the `Keys` of a video, if the library has both',
    fits: (tags) => findText(tags, ...contentIdentifierTags) !== undefined,
  },
  {
    category: 'MOTION',
    marker:
      'A video embedded in a photo or appended to it: Google’s `MotionPhoto` or `MicroVideo`, an `mpvd` box, Samsung’s trailer',
    fits: (tags, { hasMotionVideo }) => hasMotionVideo && videoTrack(tags) === undefined,
  },
  {
    category: 'SLOW',
    marker: `A video recorded at least ${rateRatio} times as fast as it is played, according to the camera, or with ${slowFps} frames per second or more (unless Apple’s full-frame-rate playback intent says otherwise)`,
    fits: (tags) => {
      const track = videoTrack(tags);
      if (track === undefined) return false;
      const [taken, played] = [readCaptureRate(tags), track.fps];
      if (taken !== undefined && taken >= slowFps / 2 && taken >= (played ?? Infinity) * rateRatio) return true;
      return (
        (played ?? 0) >= slowFps &&
        findNumber(tags, ['Keys:FullFrameRatePlaybackIntent'], { min: 1, max: 1 }) === undefined
      );
    },
  },
  {
    category: 'TIMELAPSE',
    marker: `A video recorded at least ${rateRatio} times slower than it is played, according to the camera`,
    fits: (tags) => {
      const [taken, played] = [readCaptureRate(tags), videoTrack(tags)?.fps];
      return taken !== undefined && played !== undefined && taken * rateRatio <= played;
    },
  },
  {
    category: 'PANORAMA',
    marker: '`ProjectionType` of Google’s photo spheres (also partial ones), or 6 in `CustomRendered` (Apple)',
    fits: (tags) =>
      findText(tags, 'XMP-GPano:ProjectionType') !== undefined || numberOf(tags, 'ExifIFD:CustomRendered') === 6,
  },
  {
    category: 'SCREENSHOT',
    marker:
      '`Screenshot` as `UserComment` (Apple) or in the name of the program that made a PNG; otherwise a file name that starts with it (Android) if no camera is recorded',
    fits: (tags, { filename }) =>
      screenshotComment.test(findText(tags, 'ExifIFD:UserComment', 'XMP-exif:UserComment') ?? '') ||
      screenshotWord.test(findText(tags, 'PNG:Software') ?? '') ||
      (screenshotName.test(filename) &&
        findText(tags, 'IFD0:Make', 'IFD0:Model') === undefined &&
        videoTrack(tags) === undefined),
  },
];

const screenshotComment = /^screenshot$/i;
const screenshotWord = /screen-?shot/i;
/** `Screenshot_2024-02-01-10-20-30.png`, `Screenshot 2024-02-01 at 10.20.30.png`, `Screen Shot 2019-…`: a date must follow. */
const screenshotName = /^screen[ _-]?shot[ _-]*(?:from[ _])?(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d/i;
