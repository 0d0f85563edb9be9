import { AVERROR_EINVAL, AVERROR_INVALIDDATA, AVERROR_PATCHWELCOME } from 'node-av/constants';
import { Dictionary, FormatContext, type CodecParameters, type Packet, type Rational, type Stream } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';

/** FFmpeg's status codes for a packet that MP4 cannot hold, such as a picture shown for hours, or invalid bytes. */
const refusalStatuses: ReadonlySet<number> = new Set([AVERROR_EINVAL, AVERROR_INVALIDDATA, AVERROR_PATCHWELCOME]);

/** An MP4 that is being written. */
export interface Mp4Writer extends AsyncDisposable {
  /** Writes a packet of a track, with the timestamps of its source. @throws DecodeError CORRUPT if MP4 cannot hold the packet */
  write(packet: Packet, track: Track): Promise<void>;
  /** Completes the file, which is unplayable until then. */
  finish(): Promise<void>;
}

/** Source of a stream of the file, such as an encoder. */
export interface TrackSource {
  readonly timeBase: Rational;
  /** Fills in the codec parameters. Returns a negative status on failure. */
  describe(codecpar: CodecParameters): number;
}

/** A stream of the file and its source. */
export interface Track {
  readonly source: TrackSource;
  readonly stream: Stream;
}

/** The file could not be written: the disk is full or missing. The video is not the cause. */
export class UnwritableError extends Error {
  constructor(action: string, status: number) {
    super(`The video for browsers could not be written (${action}: ${status}).`);
    this.name = 'UnwritableError';
  }
}

/** Maximum lead of a track. Its packets are buffered in memory until the other track catches up. */
const maxInterleaveSeconds = 2;

/** Opens an MP4 with a track for each source. @throws UnwritableError, as all of its functions do */
export async function openMp4Writer(
  path: string,
  sources: readonly TrackSource[],
): Promise<Mp4Writer & { readonly tracks: readonly Track[] }> {
  const output = new FormatContext();
  let isOpen = false;
  const close = async (): Promise<void> => {
    if (isOpen) await output.closeOutput();
    output.freeContext();
  };
  try {
    throwOnError(output.allocOutputContext2(null, 'mp4', `file:${path}`), 'format');
    const tracks = sources.map((source) => {
      const stream = output.newStream();
      throwOnError(source.describe(stream.codecpar), 'track');
      stream.timeBase = source.timeBase;
      return { source, stream };
    });
    output.maxInterleaveDelta = BigInt(maxInterleaveSeconds * 1e6);
    throwOnError(await output.openOutput(), 'open');
    isOpen = true;
    // Index first (faststart): browsers can play the file while it loads.
    using options = Dictionary.fromObject({ movflags: '+faststart', video_track_timescale: 90_000 });
    throwOnError(await output.writeHeader(options), 'header');
    return {
      tracks,
      async write(packet, { source, stream }) {
        packet.streamIndex = stream.index;
        packet.rescaleTs(source.timeBase, stream.timeBase);
        const status = await output.interleavedWriteFrame(packet);
        if (refusalStatuses.has(status))
          throw new DecodeError('CORRUPT', 'The file is damaged: its streams cannot be written to MP4.');
        throwOnError(status, 'packet');
      },
      async finish() {
        throwOnError(await output.writeTrailer(), 'end');
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function throwOnError(status: number, action: string): void {
  if (status < 0) throw new UnwritableError(action, status);
}
