import { AV_NOPTS_VALUE } from 'node-av/constants';
import { openVideo, type OpenVideo, readPackets } from './openVideo.ts';

/** Frames whose times are measured where the container states no credible rate. */
const framesLookedAt = 60;

/** Containers that count their frames, so their rate is exact. */
const countingFormats = /^(mov,|avi$)/;

/** Frames per second that are believed of other containers: a higher rate may be the rounding of a clock, such as 1,000. */
const maxBelieved = 130;

/** Frames per second on average; undefined where it cannot be told. */
export async function measureFrameRate(video: OpenVideo): Promise<number | undefined> {
  const { num, den } = video.pictures.avgFrameRate;
  const stated = num > 0 && den > 0 ? num / den : undefined;
  const isCounted = countingFormats.test(video.input.iformat?.name ?? '');
  if (stated !== undefined && (isCounted || stated <= maxBelieved)) return stated;
  // The file is opened a second time, because not every container finds back to its beginning.
  await using again = await openVideo(video.path, Infinity);
  return await fromTimes(again);
}

/** The rate by the median time between frames: some packets hold frames that are never shown. */
async function fromTimes({ input, pictures }: OpenVideo): Promise<number | undefined> {
  const times: bigint[] = [];
  for await (const packet of readPackets(input)) {
    if (packet.streamIndex !== pictures.index || packet.pts === AV_NOPTS_VALUE) continue;
    times.push(packet.pts);
    if (times.length === framesLookedAt) break;
  }
  // Packets come in the order in which they are decoded, and are shown in another one.
  times.sort((a, b) => (a < b ? -1 : 1));
  const steps = times.slice(1).map((time, i) => Number(time - times[i]!));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  // Matroska's clock has milliseconds, so frames are not an equal number of ticks apart.
  const alike = steps.filter((step) => Math.abs(step - usual) <= Math.max(1, usual / 4));
  const ticks = alike.reduce((sum, step) => sum + step, 0) / alike.length;
  return ticks > 0 ? pictures.timeBase.den / pictures.timeBase.num / ticks : undefined;
}
