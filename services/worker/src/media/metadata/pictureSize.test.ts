import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaTags } from '../exiftool/mediaTags.ts';
import { readPictureSize } from './pictureSize.ts';

const heic = { 'File:FileType': 'HEIC', 'File:ImageWidth': 4032, 'File:ImageHeight': 3024 };
const video = { 'File:FileType': 'MP4', 'Track2:ImageWidth': 1920, 'Track2:ImageHeight': 1080 };
const sound = { 'Track1:HandlerType': 'soun', 'Track1:MatrixStructure': '0 1 0 -1 0 0 0 0 1' };
const upright = '1 0 0 0 1 0 0 0 1';

const cases: Record<string, { tags: MediaTags; expected: readonly [number, number | undefined, number | undefined] }> =
  {
    'rotates a HEIC with a rotation box once, regardless of EXIF': {
      tags: { ...heic, 'QuickTime:Rotation': 3, 'IFD0:Orientation': 6 },
      expected: [6, 3024, 4032],
    },
    'does not rotate a HEIC without a rotation box, regardless of EXIF': {
      tags: { ...heic, 'IFD0:Orientation': 6 },
      expected: [1, 4032, 3024],
    },
    'rotates and mirrors a HEIC': {
      tags: { ...heic, 'QuickTime:Rotation': 1, 'QuickTime:Mirroring': 0 },
      expected: [5, 3024, 4032],
    },
    'ignores the EXIF orientation of a JPEG XL': {
      tags: { 'File:FileType': 'JXL', 'File:ImageWidth': 40, 'File:ImageHeight': 30, 'IFD0:Orientation': 6 },
      expected: [1, 40, 30],
    },
    'returns the size of the first page of a TIFF': {
      tags: { 'File:FileType': 'TIFF', 'IFD0:ImageWidth': 2464, 'IFD0:ImageHeight': 3248, 'IFD1:ImageWidth': 9999 },
      expected: [1, 2464, 3248],
    },
    'returns the size of the RAW picture of a DNG, not of its thumbnail': {
      tags: {
        'File:FileType': 'DNG',
        'IFD0:SubfileType': 1,
        'IFD0:ImageWidth': 256,
        'IFD0:ImageHeight': 171,
        'SubIFD:SubfileType': 0,
        'SubIFD:ImageWidth': 1224,
        'SubIFD:ImageHeight': 816,
        'SubIFD1:SubfileType': 1,
        'SubIFD1:ImageWidth': 9000,
        'SubIFD1:ImageHeight': 9000,
        'IFD0:Orientation': 8,
      },
      expected: [8, 816, 1224],
    },
    'returns the crop size of a DNG': {
      tags: {
        'File:FileType': 'DNG',
        'SubIFD:SubfileType': 0,
        'SubIFD:ImageWidth': 6048,
        'SubIFD:ImageHeight': 4032,
        'SubIFD:DefaultCropSize': '6000 4000',
      },
      expected: [1, 6000, 4000],
    },
    'returns the EXIF size of a RAW file without subdirectories': {
      tags: {
        'File:FileType': 'CR2',
        'IFD0:ImageWidth': 1536,
        'IFD0:ImageHeight': 1024,
        'ExifIFD:ExifImageWidth': 3456,
        'ExifIFD:ExifImageHeight': 2304,
      },
      expected: [1, 3456, 2304],
    },
    'rotates a video by the matrix of its video track, not of its audio track': {
      tags: { ...video, ...sound, 'Track2:MatrixStructure': upright },
      expected: [1, 1920, 1080],
    },
    'rotates a video recorded sideways': {
      tags: { ...video, 'Track2:MatrixStructure': '0 1 0 -1 0 0 1080 0 1' },
      expected: [6, 1080, 1920],
    },
    'rotates and mirrors a video': {
      tags: { ...video, 'Track2:MatrixStructure': '0 1 0 1 0 0 0 0 1' },
      expected: [5, 1080, 1920],
    },
    "applies the movie's matrix after the track's": {
      tags: {
        ...video,
        'Track2:MatrixStructure': '0 1 0 -1 0 0 0 0 1',
        'QuickTime:MatrixStructure': '0 1 0 -1 0 0 0 0 1',
      },
      expected: [3, 1920, 1080],
    },
    'ignores an invalid matrix': {
      tags: { ...video, 'Track2:MatrixStructure': 'x y' },
      expected: [1, 1920, 1080],
    },
    'returns no size for a file with audio only': {
      tags: { 'File:FileType': 'M4A', ...sound },
      expected: [1, undefined, undefined],
    },
    'ignores a size of zero': {
      tags: { 'File:FileType': 'JPEG', 'File:ImageWidth': 0, 'File:ImageHeight': 20 },
      expected: [1, undefined, undefined],
    },
  };

for (const [name, { tags, expected }] of Object.entries(cases)) {
  test(name, () => {
    const { orientation, width, height } = readPictureSize(tags);
    assert.deepEqual([orientation, width, height], expected);
  });
}
