import { AV_NOPTS_VALUE } from 'node-av/constants';
import { openVideo, type OpenVideo, readPackets } from './openVideo.ts';

/** Number of frames measured if the container states no plausible rate. */
const framesToMeasure = 60;

/** Containers that count their frames, so their rate is exact. */
const formatsWithFrameCount = /^(mov,|avi$)/;

/** Maximum plausible frame rate of other containers. Higher values may be rounded timestamps, such as 1,000. */
const maxPlausibleRate = 130;

/** Returns the average frame rate; undefined if unknown. */
export async function measureFrameRate(video: OpenVideo): Promise<number | undefined> {
  const { num, den } = video.pictures.avgFrameRate;
  const stated = num > 0 && den > 0 ? num / den : undefined;
  const isCounted = formatsWithFrameCount.test(video.input.iformat?.name ?? '');
  if (stated !== undefined && (isCounted || stated <= maxPlausibleRate)) return stated;
  // Opens the file a second time, because not every container can be rewound.
  await using again = await openVideo(video.path, Infinity);
  return await measureFromTimestamps(again);
}

/** Computes the rate from the mean interval, without intervals far from the median: some packets hold frames that are never shown. */
async function measureFromTimestamps({ input, pictures }: OpenVideo): Promise<number | undefined> {
  const times: bigint[] = [];
  for await (const packet of readPackets(input)) {
    if (packet.streamIndex !== pictures.index || packet.pts === AV_NOPTS_VALUE) continue;
    times.push(packet.pts);
    if (times.length === framesToMeasure) break;
  }
  // Packets come in decoding order, which differs from presentation order.
  times.sort((a, b) => (a < b ? -1 : 1));
  const intervals = times.slice(1).map((time, i) => Number(time - times[i]!));
  const median = intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? 0;
  // Matroska's timestamps are in ms, so intervals vary by a tick.
  const similar = intervals.filter((interval) => Math.abs(interval - median) <= Math.max(1, median / 4));
  const ticks = similar.reduce((sum, interval) => sum + interval, 0) / similar.length;
  return ticks > 0 ? pictures.timeBase.den / pictures.timeBase.num / ticks : undefined;
}
