import type { ColourKind } from './frameColours.ts';

/** The wanted properties of a video's pictures. */
export interface PictureFilters {
  /** Size after scaling, before anything is turned. */
  readonly width: number;
  readonly height: number;
  readonly colours: ColourKind;
  readonly isInterlaced: boolean;
}

/**
 * Candela per square metre that count as white: HLG and PQ put white paper there (ITU-R BT.2408), and lights above it. Tones below the knee
 * stay as they are; those from the knee to the peak of 1,000 candela are compressed into the rest.
 */
const nominalPeak = 203;
const [knee, peak] = [0.25, 5];

/** FFmpeg's filters, in the cheapest order: scaling before colour conversion, and 32-bit floats where light is summed up. */
export const pictureFilters = ({ width, height, colours, isInterlaced }: PictureFilters): string[] => [
  ...(isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
  ...scalers[colours](`${width}`, `${height}`),
  'setsar=1',
];

const scalers: Readonly<Record<ColourKind, (width: string, height: string) => readonly string[]>> = {
  usual: (width, height) => [`scale=w=${width}:h=${height}:flags=bicubic:out_color_matrix=bt709:out_range=tv`],
  wide: (width, height) => [
    `zscale=w=${width}:h=${height}:filter=bicubic:p=bt709:t=linear:m=gbr`,
    'format=gbrpf32le',
    'zscale=t=bt709:m=bt709:r=limited',
  ],
  hdr: (width, height) => [
    `zscale=w=${width}:h=${height}:filter=bicubic:p=bt709:t=linear:m=gbr:npl=${nominalPeak}`,
    'format=gbrpf32le',
    `tonemap=mobius:param=${knee}:peak=${peak}:desat=0`,
    'zscale=t=bt709:m=bt709:r=limited',
  ],
};
