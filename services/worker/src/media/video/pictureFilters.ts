import type { ColourKind } from './frameColours.ts';

/** What is to be made of the pictures of a video. */
export interface PictureFilters {
  /** Size after scaling, before anything is turned. */
  readonly width: number;
  readonly height: number;
  readonly colours: ColourKind;
  readonly isInterlaced: boolean;
}

/**
 * Candela per square metre that count as white. HLG and PQ both stand for a display that is brighter than most; BT.2408 puts white paper at 203
 * of them.
 */
const nominalPeak = 203;

/** FFmpeg's filters for it, in the order in which they cost least: made small before colours are touched, in 32-bit floats where light is summed up. */
export const pictureFilters = ({ width, height, colours, isInterlaced }: PictureFilters): string[] => [
  ...(isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
  ...scalers[colours](`${width}`, `${height}`),
  'setsar=1',
];

const scalers: Readonly<Record<ColourKind, (width: string, height: string) => readonly string[]>> = {
  usual: (width, height) => [`scale=w=${width}:h=${height}:flags=bicubic:out_color_matrix=bt709:out_range=tv`],
  wide: (width, height) => [
    `zscale=w=${width}:h=${height}:filter=bicubic:t=linear:r=full`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'zscale=t=bt709:m=bt709:r=limited',
  ],
  hdr: (width, height) => [
    `zscale=w=${width}:h=${height}:filter=bicubic:t=linear:npl=${nominalPeak}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=limited',
  ],
};
