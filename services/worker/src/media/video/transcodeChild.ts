/**
 * The program of a transcoding child: one video, in a process of its own that yields to everything else on the machine. `transcodeVideo.ts` starts it
 * and is its only caller; what the two say to each other is in `transcodeProtocol.ts`.
 */
import { setPriority } from 'node:os';
import { DecodeError } from '../decodeError.ts';
import { openChannelToParent } from '../decoderChannel.ts';
import { describeFailure, takeOnDecoderDuties } from '../decoderDuties.ts';
import { maxText } from '../decoderProtocol.ts';
import { ignoreMissingModule } from '../missingModule.ts';
import type { TranscodeMessage, TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';

/** The lowest there is (setpriority(2)), so that photos are never held up. */
const niceness = 19;

/** Milliseconds between two words about how far it is. */
const progressMs = 1_000;

takeOnDecoderDuties();
setPriority(niceness);
const channel = openChannelToParent((request: TranscodeRequest) => void answer(request));
say({ kind: 'ready' });

async function answer(request: TranscodeRequest): Promise<void> {
  say(
    await run(request).then(
      (warnings) => ({ kind: 'done', warnings }),
      (error: unknown) => describe(error, request),
    ),
  );
}

async function run(request: TranscodeRequest): Promise<readonly TranscodeWarning[]> {
  const maker = await importMaker(request).catch(ignoreMissingModule);
  if (maker === undefined) throw new DecodeError('UNSUPPORTED', 'FFmpeg, which opens videos, is not here.');
  let saidAt = -Infinity;
  return maker(request, (progress) => {
    if (performance.now() - saidAt < progressMs) return;
    saidAt = performance.now();
    say({ kind: 'progress', fraction: progress && Math.min(1, Math.max(0, progress)) });
  });
}

async function importMaker({ how }: TranscodeRequest) {
  return how === 'copy' ? (await import('./copyVideo.ts')).copyVideo : (await import('./transcode.ts')).transcode;
}

async function describe(error: unknown, { path }: TranscodeRequest): Promise<TranscodeMessage> {
  if (!(error instanceof Error && error.name === 'UnwritableError')) return describeFailure(error, path);
  return { kind: 'unwritable', text: error.message.slice(0, maxText) };
}

function say(message: TranscodeMessage): void {
  channel.send(message);
}
