import { constants } from 'node:os';
import { DecodeError } from './decodeError.ts';
import type { Excess } from './watchChild.ts';

/** What a decoder works on, and the memory that it may take. */
interface Task {
  readonly memoryLimitBytes: number;
  readonly what: 'picture' | 'video';
}

/** Why a decoder was ended that took too much. */
export function explainExcess(excess: Excess, { memoryLimitBytes, what }: Task): DecodeError {
  if (excess !== 'memory') return new DecodeError('CRASHED', `The decoder took too much (${excess}).`);
  const limit = `${Math.round(memoryLimitBytes / 1e6)} MB`;
  return new DecodeError('OUT_OF_MEMORY', `Decoding the ${what} took more than ${limit} of memory.`);
}

/** Why a decoder ended by itself. */
export function explainExit(code: number | null, signal: string | null): DecodeError {
  const reason = signal ?? signalOf(code);
  return new DecodeError('CRASHED', `The decoder ended unexpectedly (${reason ?? `exit code ${code}`}).`);
}

/** The program that confines a decoder outlives it, and reports its signal as a shell does. */
const signalOf = (code: number | null): string | undefined =>
  Object.entries(constants.signals).find(([, number]) => 128 + number === code)?.[0];
