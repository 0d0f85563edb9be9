import type { DecodeFailure } from '../../errors/decodeError.ts';

/** The first message of every decoder child, sent once. */
export interface ReadyMessage {
  readonly kind: 'ready';
}

/** A `DecodeError` as a message. */
export interface FailureAnswer {
  readonly kind: 'failure';
  readonly code: DecodeFailure;
  readonly text: string;
  readonly detail: string;
}

/** The longest sentence for the owner, in characters. */
export const maxText = 500;

/** The longest message of a decoding library, in characters. */
export const maxDetail = 4_096;
