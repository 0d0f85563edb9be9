import type { AVCodecID } from 'node-av/constants';
import { Codec } from 'node-av/lib';
import { pictureDecoders, soundDecoders } from '../formats/videoFormats.ts';

/** The decoder of a stream of a video, or undefined where none on the list is for it. */
export const findAllowedDecoder = (id: AVCodecID): Codec | undefined =>
  names.map((name) => Codec.findDecoderByName(name as never)).find((codec) => codec?.id === id) ?? undefined;

const names = Object.keys({ ...pictureDecoders, ...soundDecoders });
