import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avGetPixFmtName, Codec, OutputFormat } from 'node-av/lib';
import sharp from 'sharp';
import { findAllowedDecoder } from '@hearth/worker/media/ffmpeg/openDecoder.ts';
import { makeVideo, type TestVideo } from './makeVideo.ts';
import { drawPhoto } from './testPhotos.ts';

/** A file of a format that is not on the allow list. */
export interface OtherFile {
  /** Name of an FFmpeg encoder or muxer. */
  readonly name: string;
  readonly path: string;
}

/** Sizes in pixels for encoders that do not support all sizes. */
const sizes: Readonly<Record<string, readonly [number, number]>> = {
  h261: [176, 144],
  roqvideo: [128, 128],
  roq: [128, 128],
  cfhd: [256, 128],
  dnxhd: [256, 128],
};

const encoderOptions: Readonly<Record<string, TestVideo['options']>> = { dnxhd: { profile: 'dnxhr_lb' } };

/** Encoders that need hardware, or that write a stream of an allowed codec. */
const excludedEncoders = /_(nvenc|qsv|amf|vaapi|vulkan|v4l2m2m)$|^(h263p|ljpeg|null|.null)$/;

/** Returns an encoder for each codec that this FFmpeg decodes and that is not on the allow list. */
const listEncoders = (type: number): Codec[] => {
  const encoders = Codec.getCodecList().filter(
    (codec) =>
      codec.isEncoder() &&
      codec.type === type &&
      !excludedEncoders.test(codec.name ?? '') &&
      Codec.findDecoder(codec.id) !== null &&
      findAllowedDecoder(codec.id) === undefined,
  );
  return [...new Map(encoders.map((codec) => [codec.id, codec])).values()];
};

/** Makes a small video for each video codec that is not on the allow list, in an allowed container. */
export const makeOtherPictures = async (folder: string): Promise<OtherFile[]> =>
  makeAll(listEncoders(AVMEDIA_TYPE_VIDEO), async ({ name, pixelFormats }) => {
    const encoder = name!;
    const [format] = pixelFormats ?? [];
    const pixels = (format !== undefined && avGetPixFmtName(format)) || 'yuv420p';
    const video = { pictures: await draw(encoder), encoder, pixels, filters: 'null' };
    const options = { strict: -2, ...encoderOptions[encoder] };
    return makeFiles(['mkv', 'avi', 'mov'], join(folder, encoder), { ...video, options });
  });

/** Makes a small allowed video with audio for each audio codec that is not on the allow list. */
export const makeOtherSounds = async (folder: string): Promise<OtherFile[]> => {
  const pictures = await draw('');
  return makeAll(listEncoders(AVMEDIA_TYPE_AUDIO), async ({ name, supportedSamplerates }) => {
    const sounds = [{ encoder: name!, rate: supportedSamplerates?.[0] ?? 48_000 }];
    return makeFiles(['mkv', 'avi', 'mov'], join(folder, name!), { pictures, encoder: 'mpeg4', sounds });
  });
};

/** Encoders of still pictures that FFmpeg's `image2` writes as separate files, of formats that are not on the allow list. */
const otherStills =
  'alias_pix dpx exr fits hdr jpegls ljpeg pam pbm pcx pfm pgm pgmyuv phm ppm qoi sgi sunrast targa vbn wbmp xbm xwd';

/** Makes a small picture of each still format that is not on the allow list. */
export const makeOtherStills = async (folder: string): Promise<OtherFile[]> =>
  makeAll(
    otherStills.split(' ').map((name) => ({ name })),
    async ({ name }) => {
      const [format] = Codec.findEncoderByName(name as never)?.pixelFormats ?? [];
      const pixels = (format !== undefined && avGetPixFmtName(format)) || 'rgb24';
      const [picture] = await draw(name);
      const video = { pictures: [picture!], encoder: name, pixels, filters: 'null', format: 'image2' };
      return makeFiles(['still'], join(folder, name), { ...video, options: { strict: -2 }, muxer: { update: '1' } });
    },
  );

/** Video muxers. Their files are detectable by the first bytes, and no allowed demuxer reads them. */
const otherMuxers =
  'amv film_cpk fits gif gxf h261 h263 ivf m4v mjpeg mpjpeg nut obu roq smjpeg swf vc1test webp wtv yuv4mpegpipe';

/** Makes a small video in each container that is not on the allow list. */
export const makeOtherContainers = async (folder: string): Promise<OtherFile[]> =>
  makeAll(
    otherMuxers.split(' ').map((name) => ({ name })),
    async ({ name }) => {
      const codec = OutputFormat.guessFormat(name, null, null)?.videoCodec;
      const encoder = codec === undefined ? null : Codec.findEncoder(codec);
      if (encoder === null) return undefined;
      const pixels = avGetPixFmtName(encoder.pixelFormats?.[0] ?? (0 as never)) ?? 'yuv420p';
      const video = { pictures: await draw(name), encoder: encoder.name!, pixels, filters: 'null', format: name };
      return makeFiles(['bin'], join(folder, name), { ...video, options: { strict: -2 } });
    },
  );

async function makeAll<Kind extends { readonly name: string | null }>(
  kinds: readonly Kind[],
  make: (kind: Kind) => Promise<string | undefined>,
): Promise<OtherFile[]> {
  const files: OtherFile[] = [];
  for (const kind of kinds) {
    const path = await make(kind);
    if (path !== undefined) files.push({ name: kind.name!, path });
  }
  return files;
}

/** Writes the video in the first format that FFmpeg supports for it, and returns its path, or undefined. */
async function makeFiles(extensions: readonly string[], base: string, video: TestVideo): Promise<string | undefined> {
  for (const extension of extensions) {
    const path = `${base}.${extension}`;
    try {
      await makeVideo(path, video);
      return path;
    } catch {
      await rm(path, { force: true });
    }
  }
  return undefined;
}

async function draw(name: string): Promise<Buffer[]> {
  const [width, height] = sizes[name] ?? [64, 48];
  const picture = await sharp(await drawPhoto(width, height))
    .removeAlpha()
    .png()
    .toBuffer();
  return [picture, picture, picture];
}
