/**
 * The program of a decoder child: a process of its own, so that bytes from strangers can crash, hang or swell it and
 * nothing else. `decoderProcess.ts` starts it and is its only caller. What the two say to each other is in
 * `decoderProtocol.ts`.
 *
 * It ends itself by signals, never by `process.exit`, which may wait for a decode in the thread pool.
 */
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { DecodeError } from './decodeError.ts';
import {
  outOfMemorySignal,
  type DecoderLimits,
  type DecoderMessage,
  type RenderAnswer,
  type RenderRequest,
} from './decoderProtocol.ts';
import { ignoreMissingModule } from './missingModule.ts';
import { photoFormats, type PhotoFormatSpec } from './photoFormats.ts';
import { renderPhoto, type RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './video/renderVideo.ts';

const limits: DecoderLimits = { maxPixels: Number(process.argv[2]), memoryLimitBytes: Number(process.argv[3]) };

// Jobs run side by side in several children, so each uses one core; nothing is decoded twice, so nothing is cached.
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
const loaders = Object.values<PhotoFormatSpec>(photoFormats).flatMap((format) => format.loaders);
sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });

// Ctrl-C reaches the whole process group: the parent decides whether a decode is still finished.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// The parent is gone, kill -9 or not.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: RenderRequest) => void answer(request));
sacrificeFirst();
say({ ready: true });

async function answer(request: RenderRequest): Promise<void> {
  const watch = setInterval(endIfTooLarge, 20);
  const reply: RenderAnswer = await render(request).then((picture) => ({ picture }), describeFailure);
  clearInterval(watch);
  say(reply);
}

async function render(request: RenderRequest): Promise<RenderedPhoto | RenderedVideo> {
  if (request.format !== 'video') return renderPhoto({ ...request, ...limits });
  const posters = await import('./video/videoPoster.ts').catch(ignoreMissingModule);
  if (posters === undefined) throw new DecodeError('UNSUPPORTED', 'FFmpeg, which opens videos, is not here.');
  return posters.renderPoster({ ...request, ...limits });
}

function say(message: DecoderMessage): void {
  process.send!(message);
}

function endIfTooLarge(): void {
  if (process.memoryUsage.rss() > limits.memoryLimitBytes) process.kill(process.pid, outOfMemorySignal);
}

function describeFailure(error: unknown): RenderAnswer {
  if (!(error instanceof DecodeError)) throw error;
  const detail = error.cause instanceof Error ? error.cause.message : '';
  return { failure: { code: error.code, text: error.message, detail } };
}

/** When memory runs out everywhere, Linux shall end this process and not the worker or the database beside it. */
function sacrificeFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed here: then Linux chooses by itself.
  }
}
