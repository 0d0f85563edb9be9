import { z } from 'zod';
import { decodeFailures, type DecodeFailure } from '../../errors/decodeError.ts';
import { maxDetail, maxText } from './decoderAnswers.ts';

/** Response of a child that could not read a file. */
export const failureAnswer = z.strictObject({
  kind: z.literal('failure'),
  code: z.enum(Object.keys(decodeFailures) as DecodeFailure[]),
  text: z.string().max(maxText),
  detail: z.string().max(maxDetail),
});

/** First message, sent once. */
export const readyMessage = z.strictObject({ kind: z.literal('ready') });
