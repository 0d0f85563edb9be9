import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import {
  AV_CODEC_ID_NONE,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVCodecID,
} from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, type Stream, Packet } from 'node-av/lib';
import { DecodeError, checkPixels } from '../errors/decodeError.ts';
import { findAllowedDecoder, disableFfmpegLog } from '../ffmpeg/openDecoder.ts';
import { isSystemErrorStatus, toUnreadableError } from '../errors/readErrors.ts';
import { videoAllowLists } from '../formats/videoFormats.ts';
import { isTruncated } from './isTruncated.ts';

export interface OpenVideo extends AsyncDisposable {
  readonly path: string;
  readonly input: FormatContext;
  /** Main video stream, not a cover or thumbnails. */
  readonly pictures: Stream;
  /** Default audio stream. */
  readonly sound: Stream | undefined;
  /** True if there is any audio stream, decodable or not. */
  readonly hasSound: boolean;
  /** Duration; undefined if the file does not state it, as in interrupted recordings. */
  readonly durationSeconds: number | undefined;
  /** True if part of the file is missing or invalid. */
  readonly isDamaged: boolean;
}

/** Limits for detecting the streams, in bytes and in microseconds of playing time. */
const probeLimits = { probesize: 8 * 1024 * 1024, analyzeduration: 10_000_000 };

/** FFmpeg's status for a format that is not on the allow list, and for some damaged files. */
const notAllowedStatus = -constants.errno.EINVAL;

disableFfmpegLog();

/** Opens a video. @throws DecodeError CORRUPT, TOO_LARGE, UNSUPPORTED, UNREADABLE, or NO_VIDEO for audio alone */
export async function openVideo(path: string, maxPixels: number): Promise<OpenVideo> {
  const input = new FormatContext();
  try {
    using options = Dictionary.fromObject({ ...videoAllowLists, ...probeLimits });
    const status = await input.openInput(`file:${path}`, null, options);
    if (status === notAllowedStatus && (await isOtherFormat(path))) throw createUnsupportedError();
    if (isSystemErrorStatus(status)) throw toUnreadableError(new Error(`open failed with ${status}`));
    if (status < 0) throw createCorruptError('unknown container');
    if ((await input.findStreamInfo(null)) < 0) throw createCorruptError('no stream information');
    const streams = input.streams;
    const pictures = chooseVideoStream(streams);
    checkPixels(pictures.codecpar, maxPixels);
    return {
      path,
      input,
      pictures,
      sound: chooseSoundStream(streams),
      hasSound: streams.some(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO),
      durationSeconds: input.duration > 0n ? Number(input.duration) / 1e6 : undefined,
      isDamaged: streams.some(lacksParameters) || (await isTruncated(path)),
      [Symbol.asyncDispose]: () => input.closeInput(),
    };
  } catch (error) {
    await input.closeInput();
    throw error;
  }
}

/** Makes the demuxer discard all other streams. For some containers, the demuxer then does not even read the other streams. */
export function selectStreams({ input }: OpenVideo, streams: readonly Stream[]): void {
  const wanted = new Set(streams.map(({ index }) => index));
  for (const stream of input.streams) if (!wanted.has(stream.index)) stream.discard = AVDISCARD_ALL;
}

function chooseVideoStream(streams: readonly Stream[]): Stream {
  const videoStreams = streams.filter(
    (stream) =>
      stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO &&
      !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) &&
      !stream.hasDisposition(AV_DISPOSITION_TIMED_THUMBNAILS),
  );
  const readable = videoStreams.filter(({ codecpar }) => isAllowed(codecpar.codecId) && codecpar.width > 0);
  const best = readable.toSorted((a, b) => getPriority(b) - getPriority(a))[0];
  if (best !== undefined) return best;
  if (videoStreams.length === 0) throw new DecodeError('NO_VIDEO', 'The file has no video stream, only audio.');
  const { codecId, codecTag } = videoStreams[0]!.codecpar;
  throw isAllowed(codecId) || (codecId === AV_CODEC_ID_NONE && codecTag === 0)
    ? createCorruptError('no picture size')
    : createUnsupportedError();
}

function chooseSoundStream(streams: readonly Stream[]): Stream | undefined {
  const sounds = streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  const readable = sounds.filter(({ codecpar }) => codecpar.codecId !== AV_CODEC_ID_NONE && codecpar.channels > 0);
  return readable.find((stream) => stream.hasDisposition(AV_DISPOSITION_DEFAULT)) ?? readable[0];
}

const isAllowed = (codecId: AVCodecID): boolean => findAllowedDecoder(codecId) !== undefined;

/** Bytes that FFmpeg uses to detect the format. */
const probeBytes = 64 * 1024;

/** True if a file clearly has a format that is not on the allow list. */
async function isOtherFormat(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(probeBytes), position: 0 });
  const name = InputFormat.probe(buffer.subarray(0, bytesRead))?.name ?? '';
  return name !== '' && !`,${videoAllowLists.format_whitelist},`.includes(`,${name},`);
}

/** Prefers the default stream, then the one with the most pixels, then the first. */
const getPriority = (stream: Stream): number =>
  stream.codecpar.width * stream.codecpar.height + (stream.hasDisposition(AV_DISPOSITION_DEFAULT) ? 2 ** 40 : 0);

/** True for a stream that the file declares without parameters. A stream with an unknown codec has at least a codec tag. */
const lacksParameters = ({ codecpar }: Stream): boolean =>
  (codecpar.codecType === AVMEDIA_TYPE_AUDIO || codecpar.codecType === AVMEDIA_TYPE_VIDEO) &&
  codecpar.codecId === AV_CODEC_ID_NONE &&
  codecpar.codecTag === 0;

const createUnsupportedError = (): DecodeError =>
  new DecodeError('UNSUPPORTED', 'There is no decoder for this kind of video.');

function createCorruptError(detail: string): DecodeError {
  const message = 'The file is damaged: no video could be read from it.';
  return new DecodeError('CORRUPT', message, { cause: new Error(detail) });
}

/**
 * Yields the packets of an open file from its current position. Each is valid until the next one is requested. @throws DecodeError UNREADABLE if
 * reading fails before the end of the file
 */
export async function* readPackets(input: FormatContext): AsyncGenerator<Packet> {
  using packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    yield packet;
    packet.unref();
  }
  const status = input.pb?.error ?? 0;
  // An invalid position in the file gives EINVAL instead.
  if (status === -constants.errno.EIO || isSystemErrorStatus(status))
    throw toUnreadableError(new Error(`read failed with ${status}`));
}
