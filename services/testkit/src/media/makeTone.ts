import { AV_CODEC_FLAG_GLOBAL_HEADER } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, Rational } from 'node-av/lib';

/** Sound for a test. */
export interface Tone {
  /** Name of an FFmpeg encoder. */
  readonly encoder: string;
  /** Samples per second. */
  readonly rate?: number;
  readonly channels?: 1 | 2;
}

/** A stream to write into a file. */
export interface Source {
  readonly encoder: CodecContext;
  /** Yields the frames, with times in the encoder's time base, then null. */
  readonly frames: () => AsyncGenerator<Frame | null>;
}

/** Opens a tone of 440 Hz. @throws Error if FFmpeg cannot encode it */
export async function openTone({ encoder: name, rate = 48_000, channels = 2 }: Tone, seconds: number): Promise<Source> {
  const codec = Codec.findEncoderByName(name as never);
  if (codec === null) throw new Error(`encoder ${name} not found`);
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.sampleRate = rate;
  encoder.sampleFormat = codec.sampleFormats![0]!;
  // Mask 4 is the centre channel, mask 3 is left and right.
  encoder.channelLayout = { nbChannels: channels, order: 1 as never, mask: channels === 1 ? 4n : 3n };
  encoder.timeBase = new Rational(1, rate);
  encoder.bitRate = 64_000n;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // -2 allows experimental encoders.
  using options = Dictionary.fromObject({ strict: -2 });
  check(await encoder.open2(codec, options), `encoder ${name}`);
  const samples = encoder.frameSize || 1_024;
  return {
    encoder,
    async *frames() {
      for (let at = 0; at < seconds * rate; at += samples) {
        using frame = new Frame();
        frame.alloc();
        Object.assign(frame, { nbSamples: samples, format: encoder.sampleFormat, sampleRate: rate });
        frame.channelLayout = encoder.channelLayout;
        check(frame.getBuffer(), 'sound');
        fillTone(frame, at);
        Object.assign(frame, { pts: BigInt(at), timeBase: encoder.timeBase });
        yield frame;
      }
      yield null;
    },
  };
}

/** Writes the tone as floats or 16-bit numbers, planar or interleaved. */
function fillTone(frame: Frame, begin: number): void {
  for (const plane of frame.data ?? []) {
    const perPlane = plane.length >= frame.nbSamples * 4 ? 4 : 2;
    for (let i = 0; i * perPlane + perPlane <= plane.length && i < frame.nbSamples; i += 1) {
      const value = 0.2 * Math.sin((2 * Math.PI * 440 * (begin + i)) / frame.sampleRate);
      if (perPlane === 4) plane.writeFloatLE(value, i * 4);
      else plane.writeInt16LE(Math.round(value * 32_767), i * 2);
    }
  }
}

function check(status: number, step: string): void {
  if (status < 0) throw new Error(`FFmpeg failed to make the sound (${step}: ${status})`);
}
