/**
 * Entry point of a decoder child. A separate process, so that untrusted bytes can crash, hang or bloat only it. Started by `decoderProcess.ts`.
 * Messages are defined in `decoderProtocol.ts`.
 */
import sharp from 'sharp';
import { cutOut } from '../photo/cutOut.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { openChannelToParent } from '../sandbox/processes/decoderChannel.ts';
import { describeFailure, takeOnDecoderDuties } from '../sandbox/processes/decoderDuties.ts';
import type { DecoderAnswer, DecoderLimits, DecoderMessage, DecoderRequest, VideoRequest } from './decoderProtocol.ts';
import { ignoreMissingModule } from '../errors/missingModule.ts';
import { photoFormats, type PhotoFormat } from '../formats/photoFormats.ts';
import { readPixels } from '../photo/readPixels.ts';
import type { RenderedPicture } from '../pictures/renderedPicture.ts';
import { readWhole, unreadable } from '../errors/readTrouble.ts';
import { renderPhoto } from '../photo/renderPhoto.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';

const limits: DecoderLimits = { maxPixels: Number(process.argv[2]) };

// Several children run in parallel, so each uses one core. No file is decoded twice, so a cache is useless.
sharp.concurrency(1);
sharp.cache(false);

takeOnDecoderDuties();
const channel = openChannelToParent((request: DecoderRequest) => void answer(request));
say({ kind: 'ready' });

async function answer(request: DecoderRequest): Promise<void> {
  say(await open(request).catch((error: unknown) => describeFailure(error, request.path)));
}

async function open(request: DecoderRequest): Promise<DecoderAnswer> {
  allowLoaders(request.kind === 'video' ? undefined : request.format);
  switch (request.kind) {
    case 'photo':
      return {
        kind: 'photo',
        value: await confirmReadable(request.path, await renderPhoto({ ...request, ...limits })),
      };
    case 'video':
      return { kind: 'video', value: await confirmReadable(request.path, await renderVideo(request)) };
    case 'pixels':
      return { kind: 'pixels', value: await readPixels({ ...request, ...limits }) };
    case 'cutOuts':
      return { kind: 'cutOuts', value: await cutOut({ ...request, ...limits }) };
  }
}

/** Returns the picture. If it has warnings of damage, first checks that the file is readable. @throws DecodeError UNREADABLE */
async function confirmReadable<Picture extends RenderedPicture>(path: string, picture: Picture): Promise<Picture> {
  if (picture.warnings.length > 0)
    await readWhole(path).catch((cause: unknown) => {
      throw unreadable(cause);
    });
  return picture;
}

async function renderVideo(request: VideoRequest): Promise<RenderedVideo> {
  const posters = await import('../video/videoPoster.ts').catch(ignoreMissingModule);
  if (posters === undefined) throw new DecodeError('UNSUPPORTED', 'FFmpeg is missing; videos cannot be opened.');
  return posters.renderPoster({ ...request, ...limits });
}

/** Allows libvips only the loaders of one format, and those of intermediate pictures. */
function allowLoaders(format: PhotoFormat | undefined): void {
  const loaders = format === undefined ? [] : photoFormats[format].loaders;
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['JpegBuffer', 'PngBuffer', ...loaders].map((name) => `VipsForeignLoad${name}`) });
}

function say(message: DecoderMessage): void {
  channel.send(message);
}
