import type { Model } from './model.ts';

const zoo = 'https://raw.githubusercontent.com/onnx/models';
const yoloxSamples = 'https://raw.githubusercontent.com/Kazuhito00/YOLOX-ONNX-TFLite-Sample';

/** Models that classify photos and detect objects. */
export const thingModels = {
  'shufflenet-v2-int8': {
    purpose: 'classification of scenes and objects',
    version: 'f064171',
    licence: { code: 'Apache-2.0', weights: 'Apache-2.0 (ONNX model zoo)' },
    trainingData: 'ImageNet-1k, photos from the web in a thousand classes; for research',
    files: [
      {
        name: 'shufflenet-v2-12-int8.onnx',
        bytes: 2_388_912,
        sha256: 'bf5eefde67941aa7eaa7787316c9c52c4b04e07fc9587a6ea7028883be9a8d4e',
        origin: {
          url: `${zoo}/f064171f7dd8e962a8a5b34eac8e1bcf83cebbde/vision/classification/shufflenet/model/shufflenet-v2-12-int8.onnx`,
        },
      },
      {
        name: 'synset.txt',
        bytes: 31_675,
        sha256: 'acf75ef0abe89694b19056e0796401068b459c457baa30335f240c7692857355',
        origin: { url: `${zoo}/b1eeaa1ac722dcc1cd1a8284bde34393dab61c3d/validated/vision/classification/synset.txt` },
      },
    ],
    inputs: [
      {
        name: 'input',
        type: 'float32',
        shape: [1, 3, 224, 224],
        meaning: 'red, green, blue, normalized with the mean and standard deviation of ImageNet',
      },
    ],
    outputs: [{ name: 'output', type: 'float32', shape: [1, 1000], meaning: 'logit of each line of synset.txt' }],
    preprocessing: 'scaled to a shorter side of 256 pixels, center crop of 224×224',
    quality:
      'on 1,000 sample pictures, one per class (some probably in the training data): top-1 84.1 %, top-5 96.5 %. Published: 66.2 %. Rarely wrong with a confidence above 0.5',
  },
  'yolox-nano': {
    purpose: 'detection of objects, animals and people',
    version: '0f785c0',
    licence: { code: 'Apache-2.0', weights: 'Apache-2.0 (Megvii, YOLOX)' },
    trainingData: 'COCO 2017, photos from Flickr with 80 classes of objects',
    files: [
      {
        name: 'yolox_nano.onnx',
        bytes: 3_660_092,
        sha256: '695e750a5d5754bb5a8d5325643b59282191a7e7a564e435a415fd3c578eab14',
        origin: { url: `${yoloxSamples}/0f785c070ce8da070aeaeef46c0da7904ff7012e/model/yolox_nano.onnx` },
      },
      {
        name: 'coco_classes.txt',
        bytes: 625,
        sha256: '634a1132eb33f8091d60f2c346ababe8b905ae08387037aed883953b7329af84',
        origin: { url: `${yoloxSamples}/3d4f1119d0694200671c08069ecb847aa0d8495a/coco_classes.txt` },
      },
    ],
    inputs: [{ name: 'images', type: 'float32', shape: [1, 3, 416, 416], meaning: 'BGR from 0 to 255' }],
    outputs: [
      {
        name: 'output',
        type: 'float32',
        shape: [1, 3549, 85],
        meaning:
          'for each cell of 8×8, then 16×16 and 32×32 pixels: centre relative to the corner of the cell and logarithms of width and height, in cells; probability of an object, 0 to 1; probability of each line of coco_classes.txt, 0 to 1',
      },
    ],
    preprocessing: 'fitted into 416×416 pixels at the upper left, padded with 114',
    quality:
      'finds 80 % of the objects in 183 sample pictures at a threshold of 0.3, and all known objects in 17 other photos. Errors: a shark as an aeroplane, a Ferris wheel as an umbrella',
  },
} as const satisfies Record<string, Model>;
