import { AVSEEK_FLAG_BACKWARD, AVSEEK_FLAG_BYTE } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { DecodeError } from '../decodeError.ts';
import { measureTones, type Tones } from './frameTones.ts';
import type { OpenVideo } from './openVideo.ts';
import type { VideoDecoder } from './videoDecoder.ts';

/**
 * Where frames are looked at, in seconds from the beginning: in the first minutes, since some files without an index are read through up to
 * there, and where most films have begun. In shorter ones, in parts of the whole.
 */
const places = { seconds: [2, 8, 20, 45, 90, 180], parts: [1 / 3, 2 / 3, 0.9] } as const;

/** Frames that are decoded one after another at most where none of those places shows anything. */
const maxFramesInRow = 250;

/** Finds a frame that is neither black nor white nor of one colour, else the one that is least so; the caller frees it. @throws DecodeError CORRUPT */
export async function findPosterFrame(video: OpenVideo, decoder: VideoDecoder): Promise<Frame> {
  using best = keepBest();
  for (const seconds of placesIn(video.durationSeconds)) {
    if (!(await seekTo(video, decoder, seconds))) continue;
    const frame = await decoder.next();
    if (frame !== undefined && (await best.offer(frame))) return best.take()!;
  }
  // A film may have one frame only that stands for itself, its first.
  await seekTo(video, decoder, 0);
  // Some containers find their way by bytes only.
  let frame = (await decoder.next()) ?? ((await decoder.seek(0n, AVSEEK_FLAG_BYTE)) ? await decoder.next() : undefined);
  for (let count = 0; frame !== undefined && count < maxFramesInRow; count += 1) {
    if (await best.offer(frame)) break;
    frame = await decoder.next();
  }
  const found = best.take();
  if (found === undefined) throw new DecodeError('CORRUPT', 'The file is damaged: no video could be read from it.');
  return found;
}

function placesIn(durationSeconds: number | undefined): number[] {
  if (durationSeconds === undefined) return [0];
  const inside = places.seconds.filter((seconds) => seconds < durationSeconds * 0.95);
  return inside.length >= places.parts.length ? inside : places.parts.map((part) => part * durationSeconds);
}

const seekTo = async ({ pictures, input }: OpenVideo, decoder: VideoDecoder, seconds: number): Promise<boolean> => {
  const { num, den } = pictures.timeBase;
  const begin = input.startTime > 0n ? Number(input.startTime) / 1e6 : 0;
  return decoder.seek(BigInt(Math.round(((begin + seconds) * den) / num)), AVSEEK_FLAG_BACKWARD);
};

/** Holds the best frame offered, and frees the others. */
function keepBest() {
  let best: { readonly frame: Frame; readonly tones: Tones } | undefined;
  const seen = new Set<bigint>();
  return {
    /** Whether the frame shows something, so that no other is needed. */
    async offer(frame: Frame): Promise<boolean> {
      const isNew = !seen.has(frame.bestEffortTimestamp);
      seen.add(frame.bestEffortTimestamp);
      const tones = isNew ? await measureTones(frame) : undefined;
      if (tones === undefined || (best !== undefined && best.tones.contrast >= tones.contrast)) {
        frame.free();
        return false;
      }
      best?.frame.free();
      best = { frame, tones };
      return !tones.isBlank;
    },
    take(): Frame | undefined {
      const frame = best?.frame;
      best = undefined;
      return frame;
    },
    [Symbol.dispose]: () => best?.frame.free(),
  };
}
