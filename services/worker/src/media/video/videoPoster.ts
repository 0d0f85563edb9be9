import { AV_FRAME_FLAG_INTERLACED } from 'node-av/constants';
import { FilterAPI } from 'node-av/api';
import type { Frame } from 'node-av/lib';
import { DecodeError, throwCorrupt } from '../errors/decodeError.ts';
import { finishPreview } from '../pictures/finishPreview.ts';
import { previewSize } from '../pictures/photoPreview.ts';
import { renderPixelPreview, type Pixels } from '../pictures/pixelPreview.ts';
import { setDefaultColours, getColourKind } from './frameColours.ts';
import { isPlayable } from './isPlayable.ts';
import { measureFrameRate } from './frameRate.ts';
import { openVideo, selectStreams } from './openVideo.ts';
import { buildPictureFilters } from './pictureFilters.ts';
import { findPosterFrame } from './posterFrame.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';
import { openStreamDecoder } from './streamDecoder.ts';
import { getVideoShape, type VideoShape } from './videoShape.ts';

/** A video file, and the maximum size to decode. */
export interface PosterSource {
  readonly path: string;
  readonly maxPixels: number;
}

/** Renders the poster of a video in a decoder child. @throws DecodeError */
export async function renderPoster({ path, maxPixels }: PosterSource): Promise<RenderedVideo> {
  await using video = await openVideo(path, maxPixels);
  const { pictures, durationSeconds } = video;
  selectStreams(video, [pictures]);
  const frameRate = await measureFrameRate(video);
  const shape = getVideoShape(pictures);
  using decoder = await openStreamDecoder(pictures, { maxPixels });
  using frame = await findPosterFrame(video, decoder);
  const isDamaged = video.isDamaged || decoder.faults() > 0;
  const preview = await renderPixelPreview(await toPosterPixels(frame, shape), {
    ...shape,
    icc: undefined,
    hasAlpha: false,
    isDamaged,
  });
  return {
    ...(await finishPreview(preview)),
    isPlayable: !isDamaged && isPlayable(video, frame),
    frameRate,
    durationSeconds,
  };
}

/** Converts the frame to square pixels and sRGB, at most the size of a preview. */
async function toPosterPixels(frame: Frame, shape: VideoShape): Promise<Pixels> {
  const scale = Math.min(1, previewSize / Math.max(shape.width, shape.height));
  const width = Math.max(1, Math.round(shape.width * scale));
  const height = Math.max(1, Math.round(shape.height * scale));
  const colours = getColourKind(frame);
  const isInterlaced = frame.hasFlags(AV_FRAME_FLAG_INTERLACED);
  setDefaultColours(frame, colours);
  const description = [...buildPictureFilters({ width, height, colours, isInterlaced }), 'format=rgb24'].join(',');
  using filters = FilterAPI.create(description, { threads: 1 });
  const filtered = async (): Promise<Frame[]> => [
    ...(await filters.processAll(frame)),
    ...(await Array.fromAsync(filters.flushFrames())),
  ];
  const [first] = await filtered().catch(throwCorrupt);
  if (first === undefined) throw new DecodeError('CORRUPT', 'Unknown colour format of the video.');
  using rgb = first;
  return { data: rgb.toBuffer(), width, height, channels: 3 };
}
