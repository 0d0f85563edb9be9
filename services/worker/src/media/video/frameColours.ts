import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_BT709,
  AVCOL_PRI_SMPTE431,
  AVCOL_PRI_SMPTE432,
  AVCOL_RANGE_MPEG,
  AVCOL_RANGE_UNSPECIFIED,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_BT709,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_BT709,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import type { CodecParameters, Frame } from 'node-av/lib';

/** Conversion of a video's colours to sRGB: `hdr` is tone-mapped, `wide` is mapped to sRGB's gamut, `usual` needs none. */
export type ColourKind = 'hdr' | 'wide' | 'usual';

export function getColourKind({ colorTrc, colorPrimaries }: CodecParameters | Frame): ColourKind {
  if (colorTrc === AVCOL_TRC_SMPTE2084 || colorTrc === AVCOL_TRC_ARIB_STD_B67) return 'hdr';
  return widePrimaries.has(colorPrimaries) ? 'wide' : 'usual';
}

const widePrimaries: ReadonlySet<number> = new Set([AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE431, AVCOL_PRI_SMPTE432]);

/** Fills in missing colour properties of a frame, as players do: ITU-R BT.709 for HD, BT.601 for smaller sizes. */
export function setDefaultColours(frame: Frame, kind: ColourKind): void {
  if (frame.colorSpace === AVCOL_SPC_RGB) return;
  const isHd = frame.width >= 1280 || frame.height > 576;
  if (frame.colorRange === AVCOL_RANGE_UNSPECIFIED) frame.colorRange = AVCOL_RANGE_MPEG;
  if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) {
    const hd = kind === 'usual' ? AVCOL_SPC_BT709 : AVCOL_SPC_BT2020_NCL;
    frame.colorSpace = isHd || kind !== 'usual' ? hd : AVCOL_SPC_SMPTE170M;
  }
  if (kind === 'hdr') {
    frame.colorPrimaries = AVCOL_PRI_BT2020;
    return;
  }
  // Treats the other TV standards as BT.709: the differences are invisible, and FFmpeg 8.1 would convert them slowly.
  if (kind === 'usual') frame.colorPrimaries = AVCOL_PRI_BT709;
  frame.colorTrc = AVCOL_TRC_BT709;
}
