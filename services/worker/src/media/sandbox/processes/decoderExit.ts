import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { DecodeError } from '../../errors/decodeError.ts';
import type { ChannelEnd } from './decoderChannel.ts';
import type { FailureResponse } from './decoderResponses.ts';
import { openChannelTo } from './forkDecoder.ts';
import type { Excess } from './watchChild.ts';

/** Kind of work of a decoder, and its memory limit. */
interface Task {
  readonly memoryLimitBytes: number;
  readonly what: 'picture' | 'video';
}

/** Returns the error for a decoder that was ended because it exceeded a limit. */
export function toExcessError(excess: Excess, { memoryLimitBytes, what: kind }: Task): DecodeError {
  if (excess === 'sharedMemory')
    return new DecodeError('OUT_OF_MEMORY', `Not enough memory left to decode the ${kind}.`);
  if (excess !== 'memory') return new DecodeError('CRASHED', `The decoder exceeded a limit (${excess}).`);
  const limit = `${Math.round(memoryLimitBytes / 1e6)} MB`;
  return new DecodeError('OUT_OF_MEMORY', `Decoding the ${kind} exceeded ${limit} of memory.`);
}

/** Converts a failure response to an error. */
export const toDecodeError = ({ code, text, detail }: FailureResponse): DecodeError =>
  new DecodeError(code, text, { cause: new Error(detail) });

/** Opens the worker's end of the channel to a decoder. `onEnd` gets the reason when the decoder ends, is unreachable or sends an invalid message. */
export function followDecoder<Message>(
  child: ChildProcess,
  { onEnd, ...end }: Omit<ChannelEnd<Message>, 'onFault'> & { readonly onEnd: (reason: DecodeError) => void },
) {
  const crashed = (message: string, cause?: unknown): void => onEnd(new DecodeError('CRASHED', message, { cause }));
  child.on('exit', (code, signal) => {
    crashed(`The decoder exited unexpectedly (${signal ?? findSignal(code) ?? `exit code ${code}`}).`);
  });
  child.on('error', (cause) => crashed('The decoder is unavailable.', cause));
  return openChannelTo(child, { ...end, onFault: (cause) => crashed('The decoder sent an invalid response.', cause) });
}

/** The sandbox program outlives the decoder, and reports its signal as a shell does: 128 plus the number of the signal. */
const findSignal = (code: number | null): string | undefined =>
  Object.entries(constants.signals).find(([, number]) => 128 + number === code)?.[0];
