import { AV_CODEC_ID_AAC, AV_CODEC_ID_H264, AV_CODEC_ID_MP3, AV_FRAME_FLAG_INTERLACED } from 'node-av/constants';
import { avGetPixFmtName, type Frame } from 'node-av/lib';
import { getColourKind } from './frameColours.ts';
import type { OpenVideo } from './openVideo.ts';
import { getVideoShape } from './videoShape.ts';

/** Largest H.264 that phones decode: level 5.2 with the pixels of 4096 × 2304. */
const limits = { level: 52, pixels: 4096 * 2304 } as const;

/** Baseline (66), main (77) and high (100) profile, with any constraints (ITU-T H.264, A.2). */
const profiles: ReadonlySet<number> = new Set([66, 77, 100]);
const constraintBits = 0xff;

/**
 * True if all current browsers can play the file: an MP4 or MOV with 8-bit 4:2:0 H.264, and with AAC, MP3 or no audio. `frame` is any of its frames.
 */
export function isPlayable({ input, pictures, sound }: OpenVideo, frame: Frame): boolean {
  const { codecpar } = pictures;
  return (
    input.iformat?.name?.startsWith('mov,') === true &&
    codecpar.codecId === AV_CODEC_ID_H264 &&
    profiles.has(codecpar.profile & constraintBits) &&
    codecpar.level <= limits.level &&
    codecpar.width * codecpar.height <= limits.pixels &&
    /^yuvj?420p$/.test(avGetPixFmtName(frame.format as never) ?? '') &&
    getColourKind(codecpar) !== 'hdr' &&
    !frame.hasFlags(AV_FRAME_FLAG_INTERLACED) &&
    // Browsers support no mirroring.
    !getVideoShape(pictures).rotation.mirrored &&
    (sound === undefined || sound.codecpar.codecId === AV_CODEC_ID_AAC || sound.codecpar.codecId === AV_CODEC_ID_MP3)
  );
}
