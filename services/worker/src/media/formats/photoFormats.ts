export interface PhotoFormatSpec {
  /** MIME types that the API may assign to such a file. */
  readonly mimeTypes: readonly string[];
  /** Decoder: `sharp` with its libraries; `ffmpeg` through node-av; `heif` through node-av or else libheif-js; `raw` through exiftool. */
  readonly decoder: 'sharp' | 'ffmpeg' | 'heif' | 'raw';
  /** True if the decoder holds whole pictures in memory. A worker runs one such decode at a time. */
  readonly isHeavy: boolean;
  /** libvips loaders that sharp may use for this format, in a decoder child only. */
  readonly loaders: readonly string[];
  /** FFmpeg decoders that may be opened for this format, by FFmpeg's names. */
  readonly codecs: readonly string[];
  /** Supported features, for the user guide. */
  readonly shown: string;
}

/** All supported formats of still pictures. `findPhotoFormat` detects them. */
export const photoFormats = {
  jpeg: {
    mimeTypes: ['image/jpeg'],
    decoder: 'sharp',
    isHeavy: false,
    loaders: ['JpegFile'],
    codecs: [],
    shown: 'baseline, progressive, grey and CMYK; the readable part of damaged ones',
  },
  png: {
    mimeTypes: ['image/png'],
    decoder: 'sharp',
    isHeavy: false,
    loaders: ['PngFile'],
    codecs: [],
    shown: '1 to 16 bit, palettes, transparency on white',
  },
  apng: {
    mimeTypes: ['image/png', 'image/apng'],
    decoder: 'ffmpeg',
    isHeavy: true,
    // Without FFmpeg, sharp shows the first picture.
    loaders: ['PngFile'],
    codecs: ['apng'],
    shown: 'animated PNG: animated previews',
  },
  webp: {
    mimeTypes: ['image/webp'],
    decoder: 'sharp',
    isHeavy: false,
    loaders: ['WebpFile'],
    codecs: [],
    shown: 'lossy and lossless; animated previews',
  },
  gif: {
    mimeTypes: ['image/gif'],
    decoder: 'sharp',
    isHeavy: false,
    loaders: ['NsgifFile'],
    codecs: [],
    shown: 'animated previews',
  },
  tiff: {
    mimeTypes: ['image/tiff'],
    decoder: 'sharp',
    isHeavy: false,
    loaders: ['TiffFile'],
    codecs: [],
    shown: 'the first page; 1 to 32 bit, CMYK, fax and JPEG compression',
  },
  avif: {
    mimeTypes: ['image/avif'],
    decoder: 'sharp',
    isHeavy: true,
    loaders: ['HeifFile'],
    codecs: [],
    shown: '8 to 12 bit, upright by its own properties',
  },
  avis: {
    mimeTypes: ['image/avif'],
    decoder: 'ffmpeg',
    isHeavy: true,
    loaders: ['HeifFile'],
    codecs: ['libdav1d'],
    shown: 'animated AVIF: animated previews',
  },
  heif: {
    mimeTypes: ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    decoder: 'heif',
    isHeavy: true,
    loaders: [],
    codecs: ['hevc'],
    shown: '8 and 10 bit, grids, rotation and mirroring; the primary picture',
  },
  jxl: {
    mimeTypes: ['image/jxl'],
    decoder: 'ffmpeg',
    isHeavy: true,
    loaders: [],
    codecs: ['libjxl'],
    shown: 'the first frame',
  },
  jp2: {
    mimeTypes: ['image/jp2', 'image/jpx', 'image/jpm', 'image/j2c'],
    decoder: 'ffmpeg',
    isHeavy: true,
    loaders: [],
    codecs: ['jpeg2000'],
    shown: 'JPEG 2000 files and raw code streams',
  },
  bmp: {
    mimeTypes: ['image/bmp'],
    decoder: 'ffmpeg',
    isHeavy: true,
    loaders: [],
    codecs: ['bmp'],
    shown: '1 to 32 bit, also run-length encoded',
  },
  psd: {
    mimeTypes: ['image/vnd.adobe.photoshop'],
    decoder: 'ffmpeg',
    isHeavy: true,
    loaders: [],
    codecs: ['psd'],
    shown: 'the merged picture that Photoshop stores with the layers',
  },
  raw: {
    mimeTypes:
      'x-adobe-dng x-canon-cr2 x-canon-cr3 x-canon-crw x-nikon-nef x-sony-arw x-fujifilm-raf x-olympus-orf x-panasonic-rw2 x-pentax-pef x-raw'
        .split(' ')
        .map((name) => `image/${name}`),
    decoder: 'raw',
    isHeavy: false,
    loaders: [],
    codecs: [],
    shown: 'the largest embedded JPEG',
  },
} as const satisfies Record<string, PhotoFormatSpec>;

export type PhotoFormat = keyof typeof photoFormats;

export const decodeCapability = (mimeType: string): string => `decode ${mimeType}`;
