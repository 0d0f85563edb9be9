import { AVSEEK_FLAG_BACKWARD, AVSEEK_FLAG_BYTE } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';
import { measureTones, type Tones } from './frameTones.ts';
import { type OpenVideo, readPackets } from './openVideo.ts';
import type { StreamDecoder } from './streamDecoder.ts';

/**
 * Positions of frames to examine. `seconds` are in the first minutes: most videos show something by then, and some files without an index must be
 * read up to the position. In shorter files, fractions of the duration are used.
 */
const framePositions = { seconds: [2, 8, 20, 45, 90, 180], parts: [1 / 3, 2 / 3, 0.9] } as const;

/** Maximum number of frames decoded from the start if none of the positions shows anything. */
const maxFramesFromStart = 250;

/**
 * CPU seconds after which the best frame so far is used: a noisy 4K video of a night would take half a minute. CPU time instead of wall-clock time gives
 * a video the same poster on a busy machine.
 */
const maxSearchSeconds = 3;

/** Maximum number of packets before the first frame at a position. A video with 60 frames per second has a keyframe at least every ten seconds. */
const maxPacketsBeforeFrame = 600;

/**
 * Finds a frame that is not black, white or of one colour, or else the frame with the most contrast. The caller frees the frame.
 * @throws DecodeError CORRUPT
 */
export async function findPosterFrame(
  video: OpenVideo,
  decoder: StreamDecoder,
  maxSeconds = maxSearchSeconds,
): Promise<Frame> {
  using best = createBestFrame();
  const cpuBefore = process.cpuUsage();
  const isLate = (): boolean => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return (user + system) / 1e6 >= maxSeconds;
  };
  for (const seconds of choosePositions(video.durationSeconds)) {
    if (!(await seekTo(video, decoder, seconds))) continue;
    let isReadable = false;
    for await (const frame of readFrames(video, decoder)) {
      isReadable = true;
      const found = (await best.offer(frame)) || isLate() ? best.take() : undefined;
      if (found !== undefined) return found;
      break;
    }
    // No keyframes follow.
    if (!isReadable) break;
  }
  const candidate = best.isEnough() ? best.take() : undefined;
  if (candidate !== undefined) return candidate;
  // A video may have a single keyframe, its first frame.
  for (const seekToStart of listSeeksToStart(video, decoder)) {
    if (!(await seekToStart())) continue;
    let count = 0;
    for await (const frame of readFrames(video, decoder)) {
      count += 1;
      if ((await best.offer(frame)) || count === maxFramesFromStart || isLate()) break;
    }
    if (count > 0) break;
  }
  const found = best.take();
  if (found === undefined) throw new DecodeError('CORRUPT', 'The file is damaged: no video could be read from it.');
  return found;
}

/** Returns functions that seek to the start of a file, in the order to try. Broadcast streams support only seeking by bytes. */
function listSeeksToStart(video: OpenVideo, decoder: StreamDecoder): (() => Promise<boolean>)[] {
  const byTime = (): Promise<boolean> => seekTo(video, decoder, 0);
  const byBytes = (): Promise<boolean> => seek(video, decoder, 0n, AVSEEK_FLAG_BYTE);
  return video.input.iformat?.name?.startsWith('mpeg') ? [byBytes, byTime] : [byTime, byBytes];
}

function choosePositions(durationSeconds: number | undefined): number[] {
  if (durationSeconds === undefined) return [];
  const inside = framePositions.seconds.filter((seconds) => seconds < durationSeconds * 0.95);
  return inside.length >= framePositions.parts.length
    ? inside
    : framePositions.parts.map((part) => part * durationSeconds);
}

/** Yields the frames from the current position. The caller frees them. */
async function* readFrames({ input, pictures }: OpenVideo, decoder: StreamDecoder): AsyncGenerator<Frame> {
  let [packets, frames] = [0, 0];
  for await (const packet of readPackets(input)) {
    if (packet.streamIndex !== pictures.index) continue;
    packets += 1;
    for await (const frame of decoder.decode(packet)) {
      frames += 1;
      yield frame;
    }
    if (frames === 0 && packets === maxPacketsBeforeFrame) return;
  }
  yield* decoder.decode(null);
}

/** Seeks to the last keyframe at or before this position; false if the file does not support it. */
const seekTo = (video: OpenVideo, decoder: StreamDecoder, seconds: number): Promise<boolean> => {
  const { num, den } = video.pictures.timeBase;
  const begin = video.input.startTime > 0n ? Number(video.input.startTime) / 1e6 : 0;
  return seek(video, decoder, BigInt(Math.round(((begin + seconds) * den) / num)), AVSEEK_FLAG_BACKWARD);
};

async function seek(
  { input, pictures }: OpenVideo,
  decoder: StreamDecoder,
  to: bigint,
  flag: typeof AVSEEK_FLAG_BACKWARD,
): Promise<boolean> {
  decoder.reset();
  return (await input.seekFrame(pictures.index, to, flag)) >= 0;
}

/** Holds the best frame offered, and frees the others. */
function createBestFrame() {
  let best: { readonly frame: Frame; readonly tones: Tones } | undefined;
  const seen = new Set<bigint>();
  return {
    /** Takes a frame. Returns true if it is not blank, so that no other is needed. */
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
    /** True if the best frame shows anything, so that decoding many more is not worthwhile. */
    isEnough: (): boolean => best !== undefined && !best.tones.isEmpty,
    take(): Frame | undefined {
      const frame = best?.frame;
      best = undefined;
      return frame;
    },
    [Symbol.dispose]: () => best?.frame.free(),
  };
}
