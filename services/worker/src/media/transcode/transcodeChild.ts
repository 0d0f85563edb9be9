/**
 * Entry point of a transcoding child: a separate process with the lowest priority, for one video. Started by `transcodeVideo.ts`. Messages are
 * defined in `transcodeProtocol.ts`.
 */
import { setPriority } from 'node:os';
import { DecodeError } from '../errors/decodeError.ts';
import { openChannelToParent } from '../sandbox/processes/decoderChannel.ts';
import { describeFailure, takeOnDecoderDuties } from '../sandbox/processes/decoderDuties.ts';
import { maxText } from '../sandbox/processes/decoderAnswers.ts';
import { ignoreMissingModule } from '../errors/missingModule.ts';
import type { TranscodeMessage, TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';

/** Lowest priority (setpriority(2)), so that photos are not delayed. */
const niceness = 19;

/** Interval of progress messages, in ms. */
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
  if (maker === undefined) throw new DecodeError('UNSUPPORTED', 'FFmpeg is missing; videos cannot be opened.');
  let saidAt = -Infinity;
  return maker(request, (progress) => {
    if (performance.now() - saidAt < progressMs) return;
    saidAt = performance.now();
    say({ kind: 'progress', fraction: progress && Math.min(1, Math.max(0, progress)) });
  });
}

async function importMaker({ how }: TranscodeRequest) {
  return how === 'remux' ? (await import('./remuxVideo.ts')).remuxVideo : (await import('./transcode.ts')).transcode;
}

async function describe(error: unknown, { path }: TranscodeRequest): Promise<TranscodeMessage> {
  if (!(error instanceof Error && error.name === 'UnwritableError')) return describeFailure(error, path);
  return { kind: 'unwritable', text: error.message.slice(0, maxText) };
}

function say(message: TranscodeMessage): void {
  channel.send(message);
}
