import { AVERROR_EINVAL, AVERROR_INVALIDDATA, AVERROR_PATCHWELCOME } from 'node-av/constants';
import { Dictionary, FormatContext, type CodecParameters, type Packet, type Rational, type Stream } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';

/** What FFmpeg answers where no MP4 may have a packet: one with a picture that is shown for six hours, or with bytes that are none of its kind. */
const refusals: ReadonlySet<number> = new Set([AVERROR_EINVAL, AVERROR_INVALIDDATA, AVERROR_PATCHWELCOME]);

/** An MP4 that is being written. */
export interface Mp4Writer extends AsyncDisposable {
  /** Writes a packet of a track, whose times are those of its source. @throws DecodeError CORRUPT where no MP4 may have such a packet */
  write(packet: Packet, track: Track): Promise<void>;
  /** Completes the file; before this it cannot be played. */
  finish(): Promise<void>;
}

/** The source of a stream of the file, such as an encoder. */
export interface TrackSource {
  readonly timeBase: Rational;
  /** Fills in the parameters of the packets; answers a negative status where that fails. */
  describe(codecpar: CodecParameters): number;
}

/** A stream of the file and what fills it. */
export interface Track {
  readonly source: TrackSource;
  readonly stream: Stream;
}

/** The file could not be written: the disk is full or gone. The video is not to blame. */
export class UnwritableError extends Error {
  constructor(doing: string, status: number) {
    super(`The video for browsers could not be written (${doing}: ${status}).`);
    this.name = 'UnwritableError';
  }
}

/** Seconds of one track that are held in memory until the other one has caught up. */
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
    check(output.allocOutputContext2(null, 'mp4', `file:${path}`), 'format');
    const tracks = sources.map((source) => {
      const stream = output.newStream();
      check(source.describe(stream.codecpar), 'track');
      stream.timeBase = source.timeBase;
      return { source, stream };
    });
    output.maxInterleaveDelta = BigInt(maxInterleaveSeconds * 1e6);
    check(await output.openOutput(), 'open');
    isOpen = true;
    // Index first (faststart): a browser plays the file while it is still loading.
    using options = Dictionary.fromObject({ movflags: '+faststart', video_track_timescale: 90_000 });
    check(await output.writeHeader(options), 'header');
    return {
      tracks,
      async write(packet, { source, stream }) {
        packet.streamIndex = stream.index;
        packet.rescaleTs(source.timeBase, stream.timeBase);
        const status = await output.interleavedWriteFrame(packet);
        if (refusals.has(status))
          throw new DecodeError('CORRUPT', 'The file is damaged: what is in it fits into no MP4.');
        check(status, 'packet');
      },
      async finish() {
        check(await output.writeTrailer(), 'end');
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function check(status: number, doing: string): void {
  if (status < 0) throw new UnwritableError(doing, status);
}
