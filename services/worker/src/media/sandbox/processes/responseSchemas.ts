import { z } from 'zod';
import { decodeFailures, type DecodeFailure } from '../../errors/decodeError.ts';
import { maxDetailLength, maxTextLength } from './decoderResponses.ts';

/** Response of a child whose request failed. */
export const failureResponse = z.strictObject({
  kind: z.literal('failure'),
  code: z.enum(Object.keys(decodeFailures) as DecodeFailure[]),
  text: z.string().max(maxTextLength),
  detail: z.string().max(maxDetailLength),
});

/** First message, sent once. */
export const readyMessage = z.strictObject({ kind: z.literal('ready') });
