import { AV_NOPTS_VALUE } from 'node-av/constants';
import { FilterAPI } from 'node-av/api';
import { avRescaleQ, type Frame, type Packet, type Stream } from 'node-av/lib';
import { encode, openAacEncoder, soundRate } from './encoders.ts';
import type { EncodedTrack } from './encodedTrack.ts';
import { getMaxGapSeconds, maxStepBackSeconds } from './frameClock.ts';
import { type OpenVideo, openVideo, selectStreams, readPackets } from '../video/openVideo.ts';
import { openStreamDecoder } from '../video/streamDecoder.ts';

/** Samples per AAC frame (ISO/IEC 14496-3). */
const frameSamples = 1024;

/** Maximum gap that is filled with silence. A longer gap is an error in the file's timestamps. */
const maxSilenceSeconds = 60;

/**
 * Encodes the audio of a video as AAC, mono or stereo, in sync with the pictures. Gaps are filled with silence. Audio before the start of the
 * video is dropped.
 */
export async function openEncodedSound(video: OpenVideo, stream: Stream): Promise<EncodedTrack> {
  const decoder = await openStreamDecoder(stream, { maxPixels: 0 });
  const channels = stream.codecpar.channels === 1 ? 1 : 2;
  const encoder = await openAacEncoder(channels);
  const ticks = { num: 1, den: soundRate };
  const { startTime } = video.input;
  const maxGap = Math.min(maxSilenceSeconds, getMaxGapSeconds(video)) * soundRate;
  const origin = startTime === AV_NOPTS_VALUE ? 0n : avRescaleQ(startTime, microseconds, ticks);
  let filters: { readonly kind: string; readonly api: FilterAPI } | undefined;
  // This filter is kept when the audio format changes: the encoder accepts a short frame only at the end.
  const framing = FilterAPI.create(`asetnsamples=n=${frameSamples}:p=0`, { threads: 1 });
  /** Number of samples from the filters, and number of those sent to the encoder. */
  let [written, encoded] = [0n, 0n];
  /** End of the audio so far, in samples, and correction of timestamps after a jump. */
  let [end, skew] = [0n, 0n];

  /** Opens the filters for an audio format, starting at the encoder's position. */
  const openFilters = (): FilterAPI => {
    const layout = channels === 1 ? 'mono' : 'stereo';
    const description = [
      // Removes NaN and infinity, which the encoder rejects.
      'aformat=sample_fmts=s32p',
      `aresample=${soundRate}:async=1:first_pts=${written}`,
      `aformat=sample_fmts=fltp:sample_rates=${soundRate}:channel_layouts=${layout}`,
    ];
    return FilterAPI.create(description.join(','), { threads: 1 });
  };
  const encodeFramed = async function* (frames: readonly Frame[]): AsyncGenerator<Packet> {
    for (const frame of frames) {
      using framed = frame;
      framed.pts = encoded;
      framed.timeBase = encoder.timeBase;
      encoded += BigInt(framed.nbSamples);
      yield* encode(encoder, framed);
    }
  };
  const encodeFiltered = async function* (frames: readonly Frame[]): AsyncGenerator<Packet> {
    for (const frame of frames) {
      using filtered = frame;
      filtered.pts = written;
      filtered.timeBase = encoder.timeBase;
      written += BigInt(filtered.nbSamples);
      yield* encodeFramed(await framing.processAll(filtered));
    }
  };
  const drain = async function* (): AsyncGenerator<Packet> {
    if (filters === undefined) return;
    yield* encodeFiltered(await Array.fromAsync(filters.api.flushFrames()));
    filters.api.close();
    filters = undefined;
  };
  /** Returns the start of a frame, in samples since the start of the video. */
  const getStartSample = ({ bestEffortTimestamp: stated, timeBase }: Frame): bigint => {
    if (stated === AV_NOPTS_VALUE) return end;
    const time = avRescaleQ(stated, timeBase, ticks) - origin;
    const gap = time - skew - end;
    if (Number(gap) > maxGap || Number(gap) < -maxStepBackSeconds * soundRate) skew += gap;
    return time - skew;
  };

  return {
    encoder,
    stream,
    async *encode(packet) {
      for await (const frame of decoder.decode(packet)) {
        using decoded = frame;
        const kind = [decoded.sampleRate, decoded.format, decoded.channels].join();
        if (filters !== undefined && filters.kind !== kind) yield* drain();
        filters ??= { kind, api: openFilters() };
        decoded.pts = getStartSample(decoded);
        decoded.timeBase = encoder.timeBase;
        end = decoded.pts + BigInt(Math.round((decoded.nbSamples * soundRate) / decoded.sampleRate));
        yield* encodeFiltered(await filters.api.processAll(decoded));
      }
      if (packet !== null) return;
      yield* drain();
      yield* encodeFramed(await Array.fromAsync(framing.flushFrames()));
      yield* encode(encoder, null);
    },
    seconds: () => Number(end) / soundRate,
    faults: decoder.faults,
    [Symbol.dispose]() {
      filters?.api.close();
      framing.close();
      decoder[Symbol.dispose]();
      encoder.freeContext();
    },
  };
}

const microseconds = { num: 1, den: 1_000_000 };

/** After this many undecodable packets, about a second, the whole stream counts as undecodable. */
const maxPackets = 50;

/** Checks that the audio of a stream can be decoded. Its track must be declared before the first picture is written. */
export async function isSoundReadable(path: string, index: number, maxPixels: number): Promise<boolean> {
  await using video = await openVideo(path, maxPixels);
  const sound = video.input.streams[index];
  if (sound === undefined) return false;
  selectStreams(video, [sound]);
  const decoder = await openStreamDecoder(sound, { maxPixels: 0 }).catch(() => undefined);
  if (decoder === undefined) return false;
  using _ = decoder;
  let packets = 0;
  for await (const packet of readPackets(video.input)) {
    if (packet.streamIndex !== index) continue;
    for await (const frame of decoder.decode(packet)) {
      frame.free();
      return true;
    }
    packets += 1;
    if (packets === maxPackets) return false;
  }
  return false;
}
