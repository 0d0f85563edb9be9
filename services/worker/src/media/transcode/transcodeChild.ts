/**
 * Entry point of a transcoding child, which `transcodeVideo.ts` starts: a separate process with the lowest priority, for one video.
 * `transcodeProtocol.ts` defines its messages.
 */
import { setPriority } from 'node:os';
import { DecodeError } from '../errors/decodeError.ts';
import { openChannelToParent } from '../sandbox/processes/decoderChannel.ts';
import { describeFailure, prepareDecoder } from '../sandbox/processes/prepareDecoder.ts';
import { maxTextLength } from '../sandbox/processes/decoderResponses.ts';
import { ignoreMissingModule } from '../errors/missingModule.ts';
import type { TranscodeMessage, TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';

/** Lowest priority (setpriority(2)), so that photos are not delayed. */
const niceness = 19;

/** Interval of progress messages, in ms. */
const progressMs = 1_000;

prepareDecoder();
setPriority(niceness);
const channel = openChannelToParent((request: TranscodeRequest) => void respond(request));
send({ kind: 'ready' });

async function respond(request: TranscodeRequest): Promise<void> {
  send(
    await run(request).then(
      (warnings) => ({ kind: 'done', warnings }),
      (error: unknown) => describe(error, request),
    ),
  );
}

async function run(request: TranscodeRequest): Promise<readonly TranscodeWarning[]> {
  const transcoder = await importTranscoder(request).catch(ignoreMissingModule);
  if (transcoder === undefined) throw new DecodeError('UNSUPPORTED', 'FFmpeg is missing; videos cannot be opened.');
  let sentAt = -Infinity;
  return transcoder(request, (progress) => {
    if (performance.now() - sentAt < progressMs) return;
    sentAt = performance.now();
    send({ kind: 'progress', fraction: progress && Math.min(1, Math.max(0, progress)) });
  });
}

async function importTranscoder({ method }: TranscodeRequest) {
  return method === 'remux' ? (await import('./remuxVideo.ts')).remuxVideo : (await import('./transcode.ts')).transcode;
}

async function describe(error: unknown, { path }: TranscodeRequest): Promise<TranscodeMessage> {
  if (!(error instanceof Error && error.name === 'UnwritableError')) return describeFailure(error, path);
  return { kind: 'unwritable', text: error.message.slice(0, maxTextLength) };
}

function send(message: TranscodeMessage): void {
  channel.send(message);
}
