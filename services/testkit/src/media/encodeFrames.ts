import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Encoder, Muxer } from 'node-av/api';
import { AV_PIX_FMT_BGR24, AV_PIX_FMT_RGB24, AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV420P10LE } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';
import sharp from 'sharp';
import { disableFfmpegLog } from '@hearth/worker/media/ffmpeg/openDecoder.ts';

/** Encoding of pictures for a test. */
export interface FrameEncoding {
  /** Name of an FFmpeg encoder. */
  readonly encoder: 'libx265' | 'libsvtav1' | 'libjxl' | 'jpeg2000' | 'bmp';
  /** Name of an FFmpeg muxer. */
  readonly container: 'mp4' | 'avif' | 'image2';
  readonly pixels: 'rgb24' | 'bgr24' | 'yuv420p' | 'yuv420p10';
  readonly options?: Readonly<Record<string, string>>;
}

const pixelFormats = {
  rgb24: AV_PIX_FMT_RGB24,
  bgr24: AV_PIX_FMT_BGR24,
  yuv420p: AV_PIX_FMT_YUV420P,
  yuv420p10: AV_PIX_FMT_YUV420P10LE,
} as const;

/** Encodes pictures of one size with FFmpeg, in formats that sharp cannot write. Several pictures become frames of 0.1 s each. */
export async function encodeFrames(pictures: readonly Buffer[], encoding: FrameEncoding): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-encode-'));
  disableFfmpegLog();
  // oxlint-disable-next-line node/no-process-env -- otherwise SVT-AV1 prints messages
  process.env['SVT_LOG'] = '0';
  try {
    const path = join(folder, `picture.${encoding.container === 'image2' ? 'bin' : encoding.container}`);
    await writeFrames(path, pictures, encoding);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeFrames(path: string, pictures: readonly Buffer[], frameEncoding: FrameEncoding): Promise<void> {
  const { encoder, container, options = {} } = frameEncoding;
  using encoding = await Encoder.create(encoder as never, { options });
  await using output = await Muxer.open(path, {
    format: container,
    ...(container === 'image2' && { options: { update: 1 } }),
  });
  const stream = output.addStream(encoding);
  for (const [i, picture] of [...pictures, null].entries()) {
    const frame = picture && (await makeFrame(picture, i, frameEncoding));
    for await (const packet of encoding.packets(frame)) if (packet !== null) await output.writePacket(packet, stream);
    frame?.free();
  }
}

async function makeFrame(picture: Buffer, index: number, { pixels }: FrameEncoding): Promise<Frame> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const timeBase = { num: 1, den: 10 };
  using rgb = Frame.fromVideoBuffer(data, { width, height, format: AV_PIX_FMT_RGB24, timeBase });
  const frame = new Frame();
  frame.alloc();
  Object.assign(frame, { width, height, format: pixelFormats[pixels] });
  frame.getBuffer(32);
  using scaler = new SoftwareScaleContext();
  scaler.allocContext();
  await scaler.scaleFrame(frame, rgb);
  Object.assign(frame, { pts: BigInt(index), duration: 1n, timeBase });
  return frame;
}
