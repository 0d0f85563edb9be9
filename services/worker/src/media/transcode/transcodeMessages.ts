import { z } from 'zod';
import { failureAnswer, readyMessage } from '../sandbox/processes/answerSchemas.ts';
import { maxText } from '../sandbox/processes/decoderAnswers.ts';
import type { TranscodeMessage } from './transcodeProtocol.ts';

const transcodeMessage = z.discriminatedUnion('kind', [
  readyMessage,
  z.strictObject({ kind: z.literal('progress'), fraction: z.number().min(0).max(1).or(z.undefined()) }),
  z.strictObject({ kind: z.literal('done'), warnings: z.array(z.enum(['DAMAGED', 'SOUND_UNREADABLE'])).max(2) }),
  z.strictObject({ kind: z.literal('unwritable'), text: z.string().max(maxText) }),
  failureAnswer,
]);

/** Validates a message of a transcoding child. @throws Error where it is none */
export const parseTranscodeMessage = (message: unknown): TranscodeMessage => transcodeMessage.parse(message);
