import { AV_NOPTS_VALUE } from 'node-av/constants';
import { BitStreamFilter, BitStreamFilterContext, type CodecParameters, type Packet, type Stream } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';
import { openMp4Writer, type Mp4Writer, type Track, type TrackSource } from './mp4Writer.ts';
import { openVideo, selectStreams, readPackets } from '../video/openVideo.ts';
import type { TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';

/**
 * NAL units of H.264 that are kept (ITU-T H.264, table 7-1): slices (1–5), sequence and picture parameters (7, 8). Dropped: supplemental information,
 * where camcorders store time, position and camera; filler; and reserved or unspecified kinds, which players ignore and which may hold any data.
 */
const keptNalUnits = '1-5|7|8';

/**
 * Remuxes a playable video: writes its pictures and sound unchanged to an MP4, without position, time, camera or further tracks. Call it in a child
 * only (`transcodeVideo.ts`): the bytes are untrusted.
 * @throws DecodeError for errors of the video, UnwritableError for those of the disk
 */
export async function remuxVideo(
  { path, target, maxPixels }: Omit<TranscodeRequest, 'method'>,
  onProgress: (fraction: number | undefined) => void,
): Promise<readonly TranscodeWarning[]> {
  await using video = await openVideo(path, maxPixels);
  using pictures = openPictures(video.pictures);
  const sources = [pictures, ...(video.sound === undefined ? [] : [openSound(video.sound)])];
  await using output = await openMp4Writer(target, sources);
  const tracks = sources.map((from, i) => ({ from, to: output.tracks[i]! }));
  selectStreams(
    video,
    sources.map(({ stream }) => stream),
  );
  let copied = 0;
  for await (const packet of readPackets(video.input)) {
    const track = tracks.find(({ from }) => from.stream.index === packet.streamIndex);
    if (track === undefined) continue;
    if (track.from === pictures) copied += 1;
    onProgress(video.durationSeconds && Math.min(1, toSeconds(packet, track.from.stream) / video.durationSeconds));
    await track.from.writePacket(packet, output, track.to);
  }
  if (copied === 0) throw new DecodeError('CORRUPT', 'The file is damaged: no video could be read from it.');
  await output.finish();
  return video.isDamaged ? ['DAMAGED'] : [];
}

/** A stream whose packets are copied. */
interface CopiedTrack extends TrackSource {
  readonly stream: Stream;
  writePacket(packet: Packet, output: Mp4Writer, to: Track): Promise<void>;
}

const openSound = (stream: Stream): CopiedTrack => ({
  stream,
  timeBase: stream.timeBase,
  describe: (codecpar) => copyParameters(stream.codecpar, codecpar),
  writePacket: (packet, output, to) => output.write(packet, to),
});

/** Opens the pictures, with a filter that drops all other NAL units. */
function openPictures(stream: Stream): CopiedTrack & Disposable {
  const filter = BitStreamFilter.getByName('filter_units');
  if (filter === null) throw new DecodeError('UNSUPPORTED', 'This FFmpeg cannot split the video into packets.');
  const context = new BitStreamFilterContext();
  throwIfCorrupt(context.alloc(filter));
  throwIfCorrupt(context.setOption('pass_types', keptNalUnits));
  throwIfCorrupt(stream.codecpar.copy(context.inputCodecParameters!));
  context.inputTimeBase = stream.timeBase;
  throwIfCorrupt(context.init());
  return {
    stream,
    timeBase: stream.timeBase,
    describe: (codecpar) => copyParameters(context.outputCodecParameters!, codecpar),
    async writePacket(packet, output, to) {
      // A packet that cannot be parsed is not copied: it may hold any data.
      throwIfCorrupt(await context.sendPacket(packet));
      while ((await context.receivePacket(packet)) >= 0) await output.write(packet, to);
    },
    [Symbol.dispose]: () => context.free(),
  };
}

/** Copies the parameters of the source, except the container's codec tag. */
function copyParameters(from: CodecParameters, to: CodecParameters): number {
  const status = from.copy(to);
  to.codecTag = 0;
  return status;
}

const toSeconds = ({ pts }: Packet, { timeBase: { num, den } }: Stream): number =>
  pts === AV_NOPTS_VALUE ? 0 : Math.max(0, (Number(pts) * num) / den);

function throwIfCorrupt(status: number): void {
  if (status < 0) throw new DecodeError('CORRUPT', 'The file is damaged: its frames cannot be split.');
}
