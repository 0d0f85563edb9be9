import type { Model } from './model.ts';

const strides = [8, 16, 32];

const trainRepository =
  'https://raw.githubusercontent.com/ShiqiYu/libfacedetection.train/0047ac24afb1a50a0c6105001c89d1b5b805dbf1';

/** Models that detect faces and compute their embeddings. */
export const faceModels = {
  yunet: {
    purpose: 'which finds faces',
    version: '0047ac2',
    licence: { code: 'Apache-2.0', weights: 'Apache-2.0 (in the repository of the authors)' },
    trainingData: 'WIDER FACE, a research data set of photos from the web',
    files: [
      {
        name: 'yunet_n_dynamic.onnx',
        bytes: 322_906,
        sha256: '104ee26c71d5c270ce79a6b3dced91c91013260d29a6bf18f9296c5b8c4c2b12',
        origin: { url: `${trainRepository}/onnx/yunet_n_dynamic.onnx` },
      },
    ],
    inputs: [
      {
        name: 'input',
        type: 'float32',
        shape: ['n', 3, 'height', 'width'],
        meaning: 'BGR from 0 to 255; height and width are multiples of 32 pixels',
      },
    ],
    outputs: [
      ...strides.map((stride) => ({
        name: `cls_${stride}`,
        type: 'float32' as const,
        shape: ['n', 'cells', 1],
        meaning: `for each cell of ${stride}×${stride} pixels, row by row, whether it shows a face, 0 to 1`,
      })),
      ...strides.map((stride) => ({
        name: `obj_${stride}`,
        type: 'float32' as const,
        shape: ['n', 'cells', 1],
        meaning: 'whether its box is a good one, 0 to 1',
      })),
      ...strides.map((stride) => ({
        name: `bbox_${stride}`,
        type: 'float32' as const,
        shape: ['n', 'cells', 4],
        meaning: `its box: the centre from the corner of the cell, the logarithms of width and height, in units of ${stride} pixels`,
      })),
      ...strides.map((stride) => ({
        name: `kps_${stride}`,
        type: 'float32' as const,
        shape: ['n', 'cells', 10],
        meaning: `x and y, from the corner of the cell in units of ${stride} pixels, of right eye, left eye, nose, right and left corner of the mouth; right is the person's`,
      })),
    ],
    preprocessing: 'longer side to 640 pixels, never enlarged; zeros to the right and below up to a multiple of 32',
    quality:
      'finds the face of 61 of 61 portraits (deepface); of 19 photos with a count 18 right and 1 false alarm, a drawn face; 12 of 14 in a group in costumes',
  },
  mobilefacenet: {
    purpose: 'which tells faces apart',
    version: '408e13c',
    licence: { code: 'Apache-2.0', weights: 'Apache-2.0 (in the repository of the author)' },
    trainingData:
      'refined MS-Celeb-1M, photos of well-known people from the web; Microsoft has withdrawn the data set. Every strong public model of faces has an origin of this kind',
    files: [
      {
        name: 'MobileFaceNet.onnx',
        bytes: 3_998_070,
        sha256: 'b7120c095d60094f28a4a54ba6a8bf51b297a6273fb40ef6350dfec1f63d9507',
        origin: {
          url: 'https://raw.githubusercontent.com/foamliu/MobileFaceNet/408e13c0bcd1c10b666f00b07efcc2eab3c5d195/weights/MobileFaceNet.onnx',
        },
      },
    ],
    inputs: [
      {
        name: 'input0',
        type: 'float32',
        shape: [1, 3, 112, 112],
        meaning: 'red, green, blue of an aligned face, less the mean of ImageNet, in its standard deviations',
      },
    ],
    outputs: [
      {
        name: 'output0',
        type: 'float32',
        shape: [1, 128],
        meaning: 'the embedding, of any length: only its direction counts',
      },
    ],
    preprocessing: 'turned, scaled and moved so that the five landmarks lie where ArcFace has them in 112×112 pixels',
    quality:
      'of 300 pairs the same person has a cosine of 0.482 or more, others 0.362 or less; two children 0.08; 42 faces of 15 people are grouped without a mistake between 0.42 and 0.46. Published: 99.48 % on LFW',
  },
} as const satisfies Record<string, Model>;
