import { FilterAPI } from 'node-av/api';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_INTERLACED_DCT,
  AV_CODEC_FLAG_INTERLACED_ME,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_PIX_FMT_RGB24,
  AV_PKT_DATA_DISPLAYMATRIX,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, Rational, type Packet } from 'node-av/lib';
import sharp from 'sharp';
import { disableFfmpegLog } from '@hearth/worker/media/ffmpeg/openDecoder.ts';
import { encode } from '@hearth/worker/media/transcode/encoders.ts';
import { openTone, type Source, type Tone } from './makeTone.ts';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A video for a test. */
export interface TestVideo {
  /** Frames of the video, all of one size. */
  readonly pictures: readonly Buffer[];
  /** Name of an FFmpeg muxer. Default: by the file extension. */
  readonly format?: string;
  /** Name of an FFmpeg encoder. */
  readonly encoder: string;
  /** Options of the encoder. */
  readonly options?: Readonly<Record<string, string | number>>;
  /** Name of an FFmpeg pixel format. */
  readonly pixels?: string;
  /** FFmpeg filters applied before encoding. They must convert the sRGB pictures to the colour space of the video. */
  readonly filters?: string;
  readonly framesPerSecond?: number;
  /** Time of each frame in ms, instead of a constant frame rate. */
  readonly times?: readonly number[];
  /** Clockwise rotation in the display matrix. */
  readonly degrees?: 0 | 90 | 180 | 270;
  readonly pixelRatio?: readonly [number, number];
  readonly isInterlaced?: boolean;
  /** Audio tracks: a tone of 440 Hz, as long as the pictures. */
  readonly sounds?: readonly Tone[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** Options of the muxer. */
  readonly muxer?: Readonly<Record<string, string>>;
  /** Bytes to insert before each encoded picture. */
  readonly beforePictures?: Buffer;
}

/**
 * Writes a video with FFmpeg.
 * @throws Error if FFmpeg fails
 */
export async function makeVideo(path: string, video: TestVideo): Promise<void> {
  disableFfmpegLog();
  // oxlint-disable-next-line node/no-process-env -- otherwise SVT-AV1 prints messages
  process.env['SVT_LOG'] = '0';
  const output = new FormatContext();
  check(output.allocOutputContext2(null, video.format ?? null, path), 'format');
  const videoSource = await openVideoFrames(video);
  const sounds = await Promise.all((video.sounds ?? []).map((sound) => openTone(sound, getDuration(video))));
  const sources = [videoSource, ...sounds];
  const streams = sources.map(({ encoder }) => {
    const stream = output.newStream();
    stream.codecpar.fromContext(encoder);
    stream.timeBase = encoder.timeBase;
    if (encoder === videoSource.encoder) {
      stream.avgFrameRate = videoSource.encoder.framerate;
      stream.sampleAspectRatio = videoSource.encoder.sampleAspectRatio;
    }
    return stream;
  });
  if (video.degrees !== undefined) {
    streams[0]!.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, displayMatrix(video.degrees));
  }
  using metadata = Dictionary.fromObject({ ...video.metadata });
  output.metadata = metadata;
  using options = Dictionary.fromObject({ ...video.muxer });
  check(await output.openOutput(), 'open');
  check(await output.writeHeader(options), 'header');
  const write = async (packet: Packet, index: number): Promise<void> => {
    packet.streamIndex = index;
    if (index === 0 && video.beforePictures !== undefined) {
      const { pts, dts, duration, flags } = packet;
      // Setting the data resets the other fields of the packet.
      packet.data = Buffer.concat([video.beforePictures, packet.data ?? Buffer.alloc(0)]);
      Object.assign(packet, { pts, dts, duration, flags, streamIndex: index });
    }
    packet.rescaleTs(sources[index]!.encoder.timeBase, streams[index]!.timeBase);
    check(await output.interleavedWriteFrame(packet), 'packet');
  };
  for (const [index, { encoder, frames }] of sources.entries()) {
    for await (const frame of frames()) for await (const packet of encode(encoder, frame)) await write(packet, index);
    encoder.freeContext();
  }
  check(await output.writeTrailer(), 'trailer');
  await output.closeOutput();
  output.freeContext();
}

const getDuration = ({ pictures, framesPerSecond = 25, times }: TestVideo): number =>
  times === undefined ? pictures.length / framesPerSecond : (times.at(-1)! + 1_000 / framesPerSecond) / 1_000;

async function openVideoFrames(video: TestVideo): Promise<Source> {
  const { framesPerSecond = 25, times, pixels = 'yuv420p', isInterlaced = false } = video;
  const filtered: Frame[] = [];
  using filters = FilterAPI.create(
    [
      video.filters ?? 'scale=out_color_matrix=bt709:out_range=tv,setparams=color_primaries=bt709:color_trc=bt709',
      `format=${pixels}`,
    ].join(','),
  );
  for (const picture of video.pictures) {
    const { data, info } = await sharp(picture)
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    using rgb = Frame.fromVideoBuffer(data, {
      width,
      height,
      format: AV_PIX_FMT_RGB24,
      timeBase: { num: 1, den: 1_000 },
    });
    filtered.push(...(await filters.processAll(rgb)));
  }
  filtered.push(...(await Array.fromAsync(filters.flushFrames())));
  const [first] = filtered;
  const codec = Codec.findEncoderByName(video.encoder as never);
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  Object.assign(encoder, { width: first!.width, height: first!.height });
  encoder.pixelFormat = first!.format as CodecContext['pixelFormat'];
  encoder.timeBase = times === undefined ? new Rational(1, framesPerSecond) : new Rational(1, 1_000);
  encoder.framerate = new Rational(framesPerSecond, 1);
  encoder.colorSpace = first!.colorSpace;
  encoder.colorPrimaries = first!.colorPrimaries;
  encoder.colorTrc = first!.colorTrc;
  encoder.colorRange = first!.colorRange;
  encoder.threadCount = 1;
  if (video.pixelRatio !== undefined) encoder.sampleAspectRatio = new Rational(...video.pixelRatio);
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  if (isInterlaced) encoder.setFlags(AV_CODEC_FLAG_INTERLACED_DCT, AV_CODEC_FLAG_INTERLACED_ME);
  using options = Dictionary.fromObject({ ...video.options });
  check(await encoder.open2(codec, options), `encoder ${video.encoder}`);
  return {
    encoder,
    async *frames() {
      for (const [i, frame] of filtered.entries()) {
        using ownedFrame = frame;
        Object.assign(ownedFrame, { pts: BigInt(times?.[i] ?? i), timeBase: encoder.timeBase, duration: 0n });
        ownedFrame.sampleAspectRatio = encoder.sampleAspectRatio;
        if (isInterlaced) ownedFrame.setFlags(AV_FRAME_FLAG_INTERLACED, AV_FRAME_FLAG_TOP_FIELD_FIRST);
        yield ownedFrame;
      }
      yield null;
    },
  };
}

/** Encodes a display matrix in 16.16 fixed point, the last column in 2.30 (ISO/IEC 14496-12, 6.2.2). */
function displayMatrix(degrees: number): Buffer {
  const [cos, sin] = [Math.round(Math.cos((degrees * Math.PI) / 180)), Math.round(Math.sin((degrees * Math.PI) / 180))];
  const matrix = Buffer.alloc(36);
  for (const [i, value] of [cos, sin, 0, -sin, cos, 0, 0, 0].entries()) matrix.writeInt32LE(value * 65_536, i * 4);
  matrix.writeInt32LE(2 ** 30, 32);
  return matrix;
}

function check(status: number, step: string): void {
  if (status < 0) throw new Error(`FFmpeg failed to make the video (${step}: ${status})`);
}

/** Makes an MP4 that browsers can play, by default of five frames with the picture. */
export const makeClip = async (picture: Buffer, video: Partial<TestVideo> = {}): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-test-clip-'));
  try {
    const path = join(folder, 'clip.mp4');
    await makeVideo(path, { pictures: Array.from({ length: 5 }, () => picture), encoder: 'libx264', ...video });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
};
