import type { DecodeFailure } from '../../errors/decodeError.ts';

/** First message of every decoder child, sent once. */
export interface ReadyMessage {
  readonly kind: 'ready';
}

/** A `DecodeError` as a message. */
export interface FailureResponse {
  readonly kind: 'failure';
  readonly code: DecodeFailure;
  readonly text: string;
  readonly detail: string;
}

/** Maximum length of the sentence for the user, in characters. */
export const maxTextLength = 500;

/** Maximum length of an error message of a decoding library, in characters. */
export const maxDetailLength = 4_096;
