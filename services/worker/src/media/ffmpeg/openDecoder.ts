import { Codec, CodecContext, Frame, Packet, Log } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';
import { photoFormats, type PhotoFormat } from '../formats/photoFormats.ts';
import { type AVCodecID, AV_LOG_QUIET } from 'node-av/constants';
import { pictureDecoders, soundDecoders } from '../formats/videoFormats.ts';

/** Turns FFmpeg's log off; errors come as the return values of decoders. Called by every function that opens FFmpeg. */
export const silenceFfmpeg = (): void => Log.setLevel(AV_LOG_QUIET);

/** One of FFmpeg's decoders, for one file. */
export interface Decoder extends Disposable {
  /**
   * Decodes one packet and answers its frames, at most `maxFrames`. Each packet is decoded on its own, without the earlier ones. The caller
   * frees the frames. @throws DecodeError CORRUPT
   */
  decode(packet: Buffer, maxFrames?: number): Promise<Frame[]>;
}

/** How a decoder is opened. */
export interface DecoderOptions {
  /** Larger pictures are refused before memory is allocated for them. */
  readonly maxPixels: number;
  /** The decoder's configuration from the file around the packets, such as a `hvcC` box. */
  readonly configuration?: Buffer;
  /** How often to halve the picture while decoding, which JPEG 2000 allows; where a file does not, it is CORRUPT. */
  readonly halvings?: number;
}

silenceFfmpeg();

/**
 * Opens the decoder of a format of still pictures. It reports a fault in the file instead of concealing it.
 * @throws DecodeError UNSUPPORTED where FFmpeg does not have it
 */
export function openDecoder(format: PhotoFormat, { maxPixels, configuration, halvings = 0 }: DecoderOptions): Decoder {
  const codec = Codec.findDecoderByName(photoFormats[format].codecs[0] as never);
  if (codec === null) throw new DecodeError('UNSUPPORTED', 'There is no decoder for this file format.');
  const context = new CodecContext();
  context.allocContext3(codec);
  if (configuration !== undefined) context.extraData = configuration;
  context.threadCount = 1;
  context.setOption('max_pixels', maxPixels);
  context.setOption('err_detect', 'explode');
  if (halvings > 0) context.setOption('lowres', halvings);
  if (context.open2Sync(codec) < 0) {
    context.freeContext();
    throw corrupt('the decoder refuses its configuration');
  }
  return {
    async decode(bytes, maxFrames = 1) {
      using packet = new Packet();
      packet.alloc();
      packet.data = bytes;
      const frames: Frame[] = [];
      try {
        // Decoding runs in a thread of FFmpeg, so the memory limit is checked meanwhile. At the end of the input the decoder outputs the
        // frames that it still holds.
        if ((await context.sendPacket(packet)) < 0) throw corrupt('the decoder refuses a packet');
        await context.sendPacket(null);
        while (frames.length < maxFrames) {
          const frame = new Frame();
          frame.alloc();
          if ((await context.receiveFrame(frame)) < 0) {
            frame.free();
            break;
          }
          frames.push(frame);
        }
      } finally {
        context.flushBuffers();
      }
      if (frames.length === 0) throw corrupt('the decoder gives no picture');
      return frames;
    },
    [Symbol.dispose]: () => context.freeContext(),
  };
}

function corrupt(detail: string): DecodeError {
  const message = 'The file is damaged: no picture could be read from it.';
  return new DecodeError('CORRUPT', message, { cause: new Error(detail) });
}

/** The decoder of a stream of a video, or undefined where none on the list is for it. */
export const findAllowedDecoder = (id: AVCodecID): Codec | undefined =>
  decoderNames.map((name) => Codec.findDecoderByName(name as never)).find((codec) => codec?.id === id) ?? undefined;

const decoderNames = Object.keys({ ...pictureDecoders, ...soundDecoders });
