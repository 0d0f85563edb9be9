/**
 * Entry point of a decoder child, which `decoderProcess.ts` starts. The child is a separate process, so that untrusted bytes can crash, hang or bloat
 * only the child. `decoderProtocol.ts` defines its messages.
 */
import sharp from 'sharp';
import { cropParts } from '../photo/cropParts.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { openChannelToParent } from '../sandbox/processes/decoderChannel.ts';
import { describeFailure, prepareDecoder } from '../sandbox/processes/prepareDecoder.ts';
import type {
  DecoderResponse,
  DecoderLimits,
  DecoderMessage,
  DecoderRequest,
  VideoRequest,
} from './decoderProtocol.ts';
import { ignoreMissingModule } from '../errors/missingModule.ts';
import { photoFormats, type PhotoFormat } from '../formats/photoFormats.ts';
import { readPixels } from '../photo/readPixels.ts';
import type { RenderedPicture } from '../pictures/renderedPicture.ts';
import { readCompletely, toUnreadableError } from '../errors/readErrors.ts';
import { renderPhoto } from '../photo/renderPhoto.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';

const limits: DecoderLimits = { maxPixels: Number(process.argv[2]) };

// Several children run in parallel, so each uses one core. No file is decoded twice, so a cache is useless.
sharp.concurrency(1);
sharp.cache(false);

prepareDecoder();
const channel = openChannelToParent((request: DecoderRequest) => void respond(request));
send({ kind: 'ready' });

async function respond(request: DecoderRequest): Promise<void> {
  send(await renderRequest(request).catch((error: unknown) => describeFailure(error, request.path)));
}

async function renderRequest(request: DecoderRequest): Promise<DecoderResponse> {
  allowLoaders(request.kind === 'video' ? undefined : request.format);
  switch (request.kind) {
    case 'photo':
      return {
        kind: 'photo',
        value: await throwIfUnreadable(request.path, await renderPhoto({ ...request, ...limits })),
      };
    case 'video':
      return { kind: 'video', value: await throwIfUnreadable(request.path, await renderVideo(request)) };
    case 'pixels':
      return { kind: 'pixels', value: await readPixels({ ...request, ...limits }) };
    case 'cutOuts':
      return { kind: 'cutOuts', value: await cropParts({ ...request, ...limits }) };
  }
}

/** Returns the picture. If it has warnings of damage, first checks that the file is readable. @throws DecodeError UNREADABLE */
async function throwIfUnreadable<Picture extends RenderedPicture>(path: string, picture: Picture): Promise<Picture> {
  if (picture.warnings.length > 0)
    await readCompletely(path).catch((cause: unknown) => {
      throw toUnreadableError(cause);
    });
  return picture;
}

async function renderVideo(request: VideoRequest): Promise<RenderedVideo> {
  const videoRenderer = await import('../video/videoPoster.ts').catch(ignoreMissingModule);
  if (videoRenderer === undefined) throw new DecodeError('UNSUPPORTED', 'FFmpeg is missing; videos cannot be opened.');
  return videoRenderer.renderPoster({ ...request, ...limits });
}

/** Allows libvips only the loaders of one format, and those of intermediate pictures. */
function allowLoaders(format: PhotoFormat | undefined): void {
  const loaders = format === undefined ? [] : photoFormats[format].loaders;
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['JpegBuffer', 'PngBuffer', ...loaders].map((name) => `VipsForeignLoad${name}`) });
}

function send(message: DecoderMessage): void {
  channel.send(message);
}
