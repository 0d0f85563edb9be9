import { DecodeError } from '../errors/decodeError.ts';
import { openEncodedPictures } from './encodedPictures.ts';
import { openEncodedSound, isSoundReadable } from './encodedSound.ts';
import type { EncodedTrack } from './encodedTrack.ts';
import { openMp4Writer, type Mp4Writer, type Track } from './mp4Writer.ts';
import { openVideo, selectStreams, type OpenVideo, readPackets } from '../video/openVideo.ts';
import type { TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';
import { AV_NOPTS_VALUE } from 'node-av/constants';

/**
 * Transcodes a video to an MP4 that all browsers can play: H.264 and AAC, index first (faststart), upright, at most Full HD, in BT.709. Removes all
 * metadata, so visitors of a shared album may get the result. Call it in a child only (`transcodeVideo.ts`): the bytes are untrusted.
 * @throws DecodeError for errors of the video, UnwritableError for those of the disk
 */
export async function transcode(
  { path, target, maxPixels }: Omit<TranscodeRequest, 'method'>,
  onProgress: (fraction: number | undefined) => void,
): Promise<readonly TranscodeWarning[]> {
  await using video = await openVideo(path, maxPixels);
  const hasSound = video.sound !== undefined && (await isSoundReadable(path, video.sound.index, maxPixels));
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
  selectStreams(
    video,
    encoded.map(({ stream }) => stream),
  );
  const tracks = encoded.map((from, i) => ({ from, to: output.tracks[i]! }));
  for await (const packet of readPackets(video.input)) {
    const track = tracks.find(({ from }) => from.stream.index === packet.streamIndex);
    if (track === undefined) continue;
    await encodePackets(track.from.encode(packet), output, track.to);
    onProgress(video.durationSeconds && Math.min(1, pictures.seconds() / video.durationSeconds));
  }
  for (const { from, to } of tracks) await encodePackets(from.encode(null), output, to);
  if (pictures.count() === 0) throw new DecodeError('CORRUPT', 'The file is damaged: no video could be read from it.');
  await output.finish();
  const isSoundMissing = video.hasSound && !hasSound;
  // Undecodable audio may be longer than the pictures.
  const isCutShort = !isSoundMissing && endsEarly(video, Math.max(...encoded.map(({ seconds }) => seconds())));
  const isDamaged = video.isDamaged || pictures.faults() > 0 || isCutShort;
  return [...(isDamaged ? (['DAMAGED'] as const) : []), ...(isSoundMissing ? (['SOUND_UNREADABLE'] as const) : [])];
}

async function encodePackets(packets: ReturnType<EncodedTrack['encode']>, output: Mp4Writer, to: Track): Promise<void> {
  for await (const packet of packets) await output.write(packet, to);
}

/** Containers whose stated duration is compared. An MP4's boxes show what is missing; MPEG streams state no duration beyond their data. */
const formatsWithDuration = /^(matroska|avi$|asf|flv$)/;

/** Minimum decoded fraction of the stated duration: programs round, and the last picture may be shown for longer. */
const minDurationFraction = 0.9;

/** Seconds that may be missing from a short clip. */
const maxMissingSeconds = 1;

/** True if the decoded duration is clearly shorter than the container states. */
function endsEarly({ input, durationSeconds }: OpenVideo, seconds: number): boolean {
  if (durationSeconds === undefined || !formatsWithDuration.test(input.iformat?.name ?? '')) return false;
  // A clip cut from a longer video may keep its original timestamps.
  const beginSeconds = input.startTime === AV_NOPTS_VALUE ? 0 : Math.max(0, Number(input.startTime) / 1e6);
  const missing = durationSeconds - beginSeconds - seconds;
  return missing > maxMissingSeconds && missing > (1 - minDurationFraction) * durationSeconds;
}
