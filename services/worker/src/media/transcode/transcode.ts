import { DecodeError } from '../errors/decodeError.ts';
import { openEncodedPictures } from './encodedPictures.ts';
import { openEncodedSound, hasReadableSound } from './encodedSound.ts';
import type { EncodedTrack } from './encodedTrack.ts';
import { openMp4Writer, type Mp4Writer, type Track } from './mp4Writer.ts';
import { openVideo, readOnly, type OpenVideo, readPackets } from '../video/openVideo.ts';
import type { TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';
import { AV_NOPTS_VALUE } from 'node-av/constants';

/**
 * Transcodes a video to an MP4 that all browsers can play: H.264 and AAC, index first (faststart), upright, at most Full HD, in BT.709. Removes all
 * metadata, so visitors of a shared album may get it. Call it in a child only (`transcodeVideo.ts`): the bytes are untrusted.
 * @throws DecodeError for errors of the video, UnwritableError for those of the disk
 */
export async function transcode(
  { path, target, maxPixels }: Omit<TranscodeRequest, 'how'>,
  onProgress: (fraction: number | undefined) => void,
): Promise<readonly TranscodeWarning[]> {
  await using video = await openVideo(path, maxPixels);
  const hasSound = video.sound !== undefined && (await hasReadableSound(path, video.sound.index, maxPixels));
  using pictures = await openEncodedPictures(video, { maxPixels });
  using sound = hasSound ? await openEncodedSound(video, video.sound) : undefined;
  const encoded: EncodedTrack[] = sound === undefined ? [pictures] : [pictures, sound];
  await using output = await openMp4Writer(
    target,
    encoded.map(({ encoder }) => ({
      timeBase: encoder.timeBase,
      describe: (codecpar) => codecpar.fromContext(encoder),
    })),
  );
  readOnly(
    video,
    encoded.map(({ stream }) => stream),
  );
  const lanes = encoded.map((from, i) => ({ from, to: output.tracks[i]! }));
  for await (const packet of readPackets(video.input)) {
    const lane = lanes.find(({ from }) => from.stream.index === packet.streamIndex);
    if (lane === undefined) continue;
    await pass(lane.from.encode(packet), output, lane.to);
    onProgress(video.durationSeconds && Math.min(1, pictures.seconds() / video.durationSeconds));
  }
  for (const { from, to } of lanes) await pass(from.encode(null), output, to);
  if (pictures.count() === 0) throw new DecodeError('CORRUPT', 'The file is damaged: no video could be read from it.');
  await output.finish();
  const lacksSound = video.hasSound && !hasSound;
  // Undecodable audio may be longer than the pictures.
  const isShort = !lacksSound && stopsShort(video, Math.max(...encoded.map(({ seconds }) => seconds())));
  const isDamaged = video.isDamaged || pictures.faults() > 0 || isShort;
  return [...(isDamaged ? (['DAMAGED'] as const) : []), ...(lacksSound ? (['SOUND_UNREADABLE'] as const) : [])];
}

async function pass(packets: ReturnType<EncodedTrack['encode']>, output: Mp4Writer, to: Track): Promise<void> {
  for await (const packet of packets) await output.write(packet, to);
}

/** Containers whose stated duration is compared. An MP4's boxes show what is missing; MPEG streams state no duration beyond their data. */
const statingFormats = /^(matroska|avi$|asf|flv$)/;

/** Minimum decoded fraction of the stated duration: programs round, and the last picture may be shown for longer. */
const leastPart = 0.9;

/** Seconds that may be missing from a short clip. */
const mayLackSeconds = 1;

/** True if the decoded duration is clearly shorter than the container states. */
function stopsShort({ input, durationSeconds }: OpenVideo, seconds: number): boolean {
  if (durationSeconds === undefined || !statingFormats.test(input.iformat?.name ?? '')) return false;
  // The timestamps of a cut-out part may still start at those of the whole video.
  const beginSeconds = input.startTime === AV_NOPTS_VALUE ? 0 : Math.max(0, Number(input.startTime) / 1e6);
  const missing = durationSeconds - beginSeconds - seconds;
  return missing > mayLackSeconds && missing > (1 - leastPart) * durationSeconds;
}
