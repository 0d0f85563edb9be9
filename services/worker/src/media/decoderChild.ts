/**
 * The program of a decoder child: a process of its own, so that bytes from strangers can crash, hang or swell it and
 * nothing else. `decoderProcess.ts` starts it and is its only caller. What the two say to each other is in
 * `decoderProtocol.ts`.
 */
import sharp from 'sharp';
import { DecodeError } from './decodeError.ts';
import { openChannelToParent } from './decoderChannel.ts';
import { describeFailure, takeOnDecoderDuties } from './decoderDuties.ts';
import type { DecoderLimits, DecoderMessage, RenderAnswer, RenderRequest } from './decoderProtocol.ts';
import { ignoreMissingModule } from './missingModule.ts';
import { photoFormats } from './photoFormats.ts';
import { readWhole, unreadable } from './readTrouble.ts';
import { renderPhoto, type RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './video/renderVideo.ts';

const limits: DecoderLimits = { maxPixels: Number(process.argv[2]) };

// Jobs run side by side in several children, so each uses one core; nothing is decoded twice, so nothing is cached.
sharp.concurrency(1);
sharp.cache(false);

takeOnDecoderDuties();
const channel = openChannelToParent((request: RenderRequest) => void answer(request));
say({ ready: true });

async function answer(request: RenderRequest): Promise<void> {
  const reply: RenderAnswer = await renderProven(request).then(
    (picture) => ({ picture }),
    (error: unknown) => describeFailure(error, request.path),
  );
  say(reply);
}

/** A picture that is called damaged is as much a verdict as one that is refused. */
async function renderProven(request: RenderRequest): Promise<RenderedPhoto | RenderedVideo> {
  const picture = await render(request);
  if (picture.warnings.length > 0)
    await readWhole(request.path).catch((cause: unknown) => {
      throw unreadable(cause);
    });
  return picture;
}

async function render(request: RenderRequest): Promise<RenderedPhoto | RenderedVideo> {
  allowLoaders(request.format);
  if (request.format !== 'video') return renderPhoto({ ...request, ...limits });
  const posters = await import('./video/videoPoster.ts').catch(ignoreMissingModule);
  if (posters === undefined) throw new DecodeError('UNSUPPORTED', 'FFmpeg, which opens videos, is not here.');
  return posters.renderPoster({ ...request, ...limits });
}

/** Leaves libvips the loaders of one format, and those of the pictures that are made here on the way. */
function allowLoaders(format: RenderRequest['format']): void {
  const { loaders } = format === 'video' ? { loaders: [] } : photoFormats[format];
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['JpegBuffer', 'PngBuffer', ...loaders].map((name) => `VipsForeignLoad${name}`) });
}

function say(message: DecoderMessage): void {
  channel.send(message);
}
