import type { ColourKind } from './frameColours.ts';

/** Target size and source properties of a video's frames. */
export interface PictureFilters {
  /** Size after scaling, before rotation. */
  readonly width: number;
  readonly height: number;
  readonly colours: ColourKind;
  readonly isInterlaced: boolean;
}

/**
 * Luminance of reference white in HLG and PQ, in cd/m² (ITU-R BT.2408). `kneeStart` and `peak` are multiples of it. Tone mapping keeps tones below the
 * knee unchanged, and compresses those from the knee to the peak, about 1,000 cd/m², into the remaining range.
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
