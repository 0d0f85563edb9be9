import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCaptureRate, readDuration, readVideoTrack } from './videoTags.ts';

const webm = { 'File:FileType': 'WEBM', 'Track1:ImageWidth': 640, 'Track1:ImageHeight': 360 };

test('reads the frame rate of the video track', () => {
  const tags = {
    'File:FileType': 'MOV',
    'Track1:HandlerType': 'soun',
    'Track10:ImageWidth': 9,
    'Track10:ImageHeight': 9,
  };
  const found = readVideoTrack({
    ...tags,
    'Track1:VideoFrameRate': 5,
    'Track2:HandlerType': 'vide',
    'Track2:ImageWidth': 568,
    'Track2:ImageHeight': 320,
    'Track2:VideoFrameRate': 29.97,
  });
  assert.deepEqual(found, { width: 568, height: 320, orientation: 1, fps: 29.97 });
});

test('ignores 1,000 fps, an artefact of rounded frame durations in Matroska', () => {
  assert.equal(readVideoTrack({ ...webm, 'Track1:VideoFrameRate': 1000 })?.fps, undefined);
  assert.equal(readVideoTrack({ ...webm, 'Track1:VideoFrameRate': 24 })?.fps, 24);
});

test('reads the duration of the container, else of its longest track', () => {
  assert.equal(readDuration({ ...webm, 'Info:Duration': 10.501, 'Track1:Duration': '00:00:09' }), 10.501);
  const tracks = { 'Track1:TrackDuration': 1.001, 'Track2:TrackDuration': 1.024 };
  assert.equal(readDuration({ 'File:FileType': 'MP4', 'QuickTime:Duration': 0, ...tracks }), 1.024);
  assert.equal(readDuration({ ...webm, 'Info:Duration': 'inf' }), undefined);
});

test('returns no track or duration for a still image with a frame count', () => {
  const tags = {
    'File:FileType': 'CR3',
    'QuickTime:Duration': 1,
    'Track1:ImageWidth': 6000,
    'Track1:ImageHeight': 4000,
  };
  assert.equal(readVideoTrack(tags), undefined);
  assert.equal(readDuration(tags), undefined);
  assert.equal(readDuration({ 'File:FileType': 'GIF', 'GIF:Duration': 0.9 }), undefined);
});

test('reads the recording rate from the tags of Android or Sony', () => {
  assert.equal(readCaptureRate({ 'Keys:AndroidCaptureFPS': 240 }), 240);
  assert.equal(readCaptureRate({ 'XML:VideoFormatVideoFrameCaptureFps': '119.88p' }), 119.88);
  assert.equal(readCaptureRate({ 'Keys:AndroidCaptureFPS': '(Binary data 4 bytes)' }), undefined);
});
