import { z } from 'zod';
import { failureAnswer, readyMessage } from '../decoderMessages.ts';
import { maxText } from '../decoderProtocol.ts';
import type { TranscodeMessage } from './transcodeProtocol.ts';

const transcodeMessage = z.union([
  readyMessage,
  z.strictObject({ progress: z.number().min(0).max(1).or(z.undefined()) }),
  z.strictObject({ warnings: z.array(z.enum(['DAMAGED', 'SOUND_UNREADABLE'])).max(2) }),
  z.strictObject({ unwritable: z.string().max(maxText) }),
  failureAnswer,
]);

/** What a transcoding child has said. @throws Error where it is none of it */
export const parseTranscodeMessage = (message: unknown): TranscodeMessage => transcodeMessage.parse(message);
