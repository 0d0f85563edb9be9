import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCategory, type CategoryContext } from './category.ts';
import type { MediaTags } from '../exiftool/mediaTags.ts';

const clip = (fps: number): MediaTags => ({
  'File:FileType': 'MP4',
  'Track1:ImageWidth': 1920,
  'Track1:ImageHeight': 1080,
  'Track1:VideoFrameRate': fps,
});

const cases: Record<string, { tags?: MediaTags; context?: Partial<CategoryContext>; expected: string }> = {
  'a file without marks is DEFAULT': { expected: 'DEFAULT' },
  'a photo with a content identifier is LIVE': { tags: { 'Apple:ContentIdentifier': '8A2F' }, expected: 'LIVE' },
  'and so is its video': { tags: { ...clip(30), 'Keys:ContentIdentifier': '8A2F' }, expected: 'LIVE' },
  'an empty content identifier is none': { tags: { 'Apple:ContentIdentifier': ' ' }, expected: 'DEFAULT' },
  'a photo with a video in it is MOTION': { context: { hasMotionVideo: true }, expected: 'MOTION' },
  'a mark of motion without a video is nothing': { tags: { 'XMP-GCamera:MotionPhoto': 1 }, expected: 'DEFAULT' },
  '240 frames a second are SLOW': { tags: clip(240), expected: 'SLOW' },
  'unless the phone was to play them as they are': {
    tags: { ...clip(120), 'Keys:FullFrameRatePlaybackIntent': 1 },
    expected: 'DEFAULT',
  },
  '60 frames a second are not': { tags: clip(60), expected: 'DEFAULT' },
  'nor are 1,000, which is a rounding': { tags: clip(1000), expected: 'DEFAULT' },
  '240 frames played as 30 are SLOW': { tags: { ...clip(30), 'Keys:AndroidCaptureFPS': 240 }, expected: 'SLOW' },
  '60 frames played as 30 are SLOW': { tags: { ...clip(30), 'Keys:AndroidCaptureFPS': 60 }, expected: 'SLOW' },
  '30 frames played as 30 are not': { tags: { ...clip(29.98), 'Keys:AndroidCaptureFPS': 30 }, expected: 'DEFAULT' },
  '30 frames of which some were lost are not': {
    tags: { ...clip(13), 'Keys:AndroidCaptureFPS': 30 },
    expected: 'DEFAULT',
  },
  'one frame a second played as 30 is TIMELAPSE': {
    tags: { ...clip(30), 'Keys:AndroidCaptureFPS': 1 },
    expected: 'TIMELAPSE',
  },
  'a photo sphere is PANORAMA': { tags: { 'XMP-GPano:ProjectionType': 'equirectangular' }, expected: 'PANORAMA' },
  "and so is what Apple's camera has put together": { tags: { 'ExifIFD:CustomRendered': 6 }, expected: 'PANORAMA' },
  'other renderings are not': { tags: { 'ExifIFD:CustomRendered': 3 }, expected: 'DEFAULT' },
  'a width alone makes no PANORAMA': {
    tags: { 'File:ImageWidth': 9000, 'File:ImageHeight': 500 },
    expected: 'DEFAULT',
  },
  'a comment says SCREENSHOT': { tags: { 'ExifIFD:UserComment': 'Screenshot' }, expected: 'SCREENSHOT' },
  'a comment about one does not': { tags: { 'ExifIFD:UserComment': 'Screenshot of my cat' }, expected: 'DEFAULT' },
  "Android's name says SCREENSHOT": {
    context: { filename: 'Screenshot_2024-02-01-10-20-30.png' },
    expected: 'SCREENSHOT',
  },
  'and so do names with the date in one': {
    context: { filename: 'Screenshot_20240201_102030_Chrome.jpg' },
    expected: 'SCREENSHOT',
  },
  'a name without a date does not': { context: { filename: 'screenshot tips.jpg' }, expected: 'DEFAULT' },
  'nor the name of a photo with a camera': {
    tags: { 'IFD0:Make': 'Canon' },
    context: { filename: 'Screenshot_2024-02-01-10-20-30.jpg' },
    expected: 'DEFAULT',
  },
};

for (const [name, { tags = {}, context, expected }] of Object.entries(cases)) {
  test(name, () => {
    assert.equal(findCategory(tags, { filename: 'photo.jpg', hasMotionVideo: false, ...context }), expected);
  });
}
