import { Dictionary, FormatContext, type CodecContext, type Packet, type Stream } from 'node-av/lib';
import { isNoSpaceStatus } from '../noSpace.ts';

/** An MP4 that is being written. */
export interface Mp4Writer extends AsyncDisposable {
  /** Writes a packet of an encoder, whose times are that encoder's. */
  write(packet: Packet, track: Track): Promise<void>;
  /** Ends the file: only now can it be played. */
  finish(): Promise<void>;
}

/** A stream of the file and the encoder that fills it. */
export interface Track {
  readonly encoder: CodecContext;
  readonly stream: Stream;
}

/** The file could not be written: the disk is full, or it is gone. The video is not to blame. */
export class UnwritableError extends Error {
  readonly isDiskFull: boolean;

  constructor(doing: string, status: number) {
    super(`The video for browsers could not be written (${doing}: ${status}).`);
    this.name = 'UnwritableError';
    this.isDiskFull = isNoSpaceStatus(status);
  }
}

/** Seconds of one track that are held in memory until the other one has caught up. */
const maxInterleaveSeconds = 2;

/** Opens an MP4 with a track for each encoder. @throws UnwritableError, as all of its functions do */
export async function openMp4Writer(
  path: string,
  encoders: readonly CodecContext[],
  { creationTime }: { readonly creationTime: string | undefined },
): Promise<Mp4Writer & { readonly tracks: readonly Track[] }> {
  const output = new FormatContext();
  let isOpen = false;
  const close = async (): Promise<void> => {
    if (isOpen) await output.closeOutput();
    output.freeContext();
  };
  try {
    check(output.allocOutputContext2(null, 'mp4', `file:${path}`), 'format');
    const tracks = encoders.map((encoder) => {
      const stream = output.newStream();
      check(stream.codecpar.fromContext(encoder), 'track');
      stream.timeBase = encoder.timeBase;
      return { encoder, stream };
    });
    if (creationTime !== undefined) {
      using metadata = Dictionary.fromObject({ creation_time: creationTime });
      output.metadata = metadata;
    }
    output.maxInterleaveDelta = BigInt(maxInterleaveSeconds * 1e6);
    check(await output.openOutput(), 'open');
    isOpen = true;
    // With its index first, a browser plays the file while it is still coming.
    using options = Dictionary.fromObject({ movflags: '+faststart', video_track_timescale: 90_000 });
    check(await output.writeHeader(options), 'header');
    return {
      tracks,
      async write(packet, { encoder, stream }) {
        packet.streamIndex = stream.index;
        packet.rescaleTs(encoder.timeBase, stream.timeBase);
        check(await output.interleavedWriteFrame(packet), 'packet');
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
