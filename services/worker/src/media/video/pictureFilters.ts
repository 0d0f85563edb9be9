import type { ColourKind } from './frameColours.ts';

/** Target properties of a video's pictures. */
export interface PictureFilters {
  /** Size after scaling, before rotation. */
  readonly width: number;
  readonly height: number;
  readonly colours: ColourKind;
  readonly isInterlaced: boolean;
}

/**
 * Luminance of white in cd/m²: HLG and PQ put white paper there (ITU-R BT.2408), and lights above it. Tones below the knee stay unchanged. Those from
 * the knee to the peak of 1,000 cd/m² are compressed into the remaining range.
 */
const nominalPeak = 203;
const [kneeStart, peak] = [0.25, 5];

/** Returns FFmpeg filters in the fastest order: scales before converting colours, and uses 32-bit floats only for linear light. */
export const buildPictureFilters = ({ width, height, colours, isInterlaced }: PictureFilters): string[] => [
  ...(isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
  ...scaleFilters[colours](`${width}`, `${height}`),
  'setsar=1',
];

const scaleFilters: Readonly<Record<ColourKind, (width: string, height: string) => readonly string[]>> = {
  usual: (width, height) => [`scale=w=${width}:h=${height}:flags=bicubic:out_color_matrix=bt709:out_range=tv`],
  wide: (width, height) => [
    `zscale=w=${width}:h=${height}:filter=bicubic:p=bt709:t=linear:m=gbr`,
    'format=gbrpf32le',
    'zscale=t=bt709:m=bt709:r=limited',
  ],
  hdr: (width, height) => [
    `zscale=w=${width}:h=${height}:filter=bicubic:p=bt709:t=linear:m=gbr:npl=${nominalPeak}`,
    'format=gbrpf32le',
    `tonemap=mobius:param=${kneeStart}:peak=${peak}:desat=0`,
    'zscale=t=bt709:m=bt709:r=limited',
  ],
};
