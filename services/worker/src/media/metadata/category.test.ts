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
  'returns DEFAULT for a file without markers': { expected: 'DEFAULT' },
  'returns LIVE for a photo with a content identifier': {
    tags: { 'Apple:ContentIdentifier': '8A2F' },
    expected: 'LIVE',
  },
  'returns LIVE for a video with a content identifier': {
    tags: { ...clip(30), 'Keys:ContentIdentifier': '8A2F' },
    expected: 'LIVE',
  },
  'ignores an empty content identifier': { tags: { 'Apple:ContentIdentifier': ' ' }, expected: 'DEFAULT' },
  'returns MOTION for a photo with an embedded video': { context: { hasMotionVideo: true }, expected: 'MOTION' },
  'ignores a motion marker without a video': { tags: { 'XMP-GCamera:MotionPhoto': 1 }, expected: 'DEFAULT' },
  'returns SLOW for 240 fps': { tags: clip(240), expected: 'SLOW' },
  'returns DEFAULT for 120 fps with playback at full frame rate': {
    tags: { ...clip(120), 'Keys:FullFrameRatePlaybackIntent': 1 },
    expected: 'DEFAULT',
  },
  'returns DEFAULT for 60 fps': { tags: clip(60), expected: 'DEFAULT' },
  'returns DEFAULT for 1,000 fps, a rounding artefact': { tags: clip(1000), expected: 'DEFAULT' },
  'returns SLOW for 240 fps played at 30': { tags: { ...clip(30), 'Keys:AndroidCaptureFPS': 240 }, expected: 'SLOW' },
  'returns SLOW for 60 fps played at 30': { tags: { ...clip(30), 'Keys:AndroidCaptureFPS': 60 }, expected: 'SLOW' },
  'returns DEFAULT for 30 fps played at 30': {
    tags: { ...clip(29.98), 'Keys:AndroidCaptureFPS': 30 },
    expected: 'DEFAULT',
  },
  'returns DEFAULT for 30 fps with dropped frames': {
    tags: { ...clip(13), 'Keys:AndroidCaptureFPS': 30 },
    expected: 'DEFAULT',
  },
  'returns TIMELAPSE for 1 fps played at 30': {
    tags: { ...clip(30), 'Keys:AndroidCaptureFPS': 1 },
    expected: 'TIMELAPSE',
  },
  'returns PANORAMA for a photo sphere': {
    tags: { 'XMP-GPano:ProjectionType': 'equirectangular' },
    expected: 'PANORAMA',
  },
  "returns PANORAMA for a panorama of Apple's camera": { tags: { 'ExifIFD:CustomRendered': 6 }, expected: 'PANORAMA' },
  'returns DEFAULT for other values of CustomRendered': { tags: { 'ExifIFD:CustomRendered': 3 }, expected: 'DEFAULT' },
  'returns DEFAULT for a wide picture without a marker': {
    tags: { 'File:ImageWidth': 9000, 'File:ImageHeight': 500 },
    expected: 'DEFAULT',
  },
  'returns SCREENSHOT for the comment "Screenshot"': {
    tags: { 'ExifIFD:UserComment': 'Screenshot' },
    expected: 'SCREENSHOT',
  },
  'returns DEFAULT for a longer comment about a screenshot': {
    tags: { 'ExifIFD:UserComment': 'Screenshot of my cat' },
    expected: 'DEFAULT',
  },
  'returns SCREENSHOT for a file name of Android': {
    context: { filename: 'Screenshot_2024-02-01-10-20-30.png' },
    expected: 'SCREENSHOT',
  },
  'returns SCREENSHOT for a file name with a date without separators': {
    context: { filename: 'Screenshot_20240201_102030_Chrome.jpg' },
    expected: 'SCREENSHOT',
  },
  'returns DEFAULT for a file name without a date': {
    context: { filename: 'screenshot tips.jpg' },
    expected: 'DEFAULT',
  },
  'returns DEFAULT for a screenshot file name of a photo with a camera': {
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
