import type { Model } from './model.ts';

const strides = [8, 16, 32];

const trainRepository =
  'https://raw.githubusercontent.com/ShiqiYu/libfacedetection.train/0047ac24afb1a50a0c6105001c89d1b5b805dbf1';

/** Models that detect faces and compute their embeddings. */
export const faceModels = {
  yunet: {
    purpose: 'face detection',
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
        meaning: `probability of a face in each cell of ${stride}×${stride} pixels, row by row, 0 to 1`,
      })),
      ...strides.map((stride) => ({
        name: `obj_${stride}`,
        type: 'float32' as const,
        shape: ['n', 'cells', 1],
        meaning: 'quality of the box of each cell, 0 to 1',
      })),
      ...strides.map((stride) => ({
        name: `bbox_${stride}`,
        type: 'float32' as const,
        shape: ['n', 'cells', 4],
        meaning: `box of each cell: centre relative to the corner of the cell, logarithms of width and height, in units of ${stride} pixels`,
      })),
      ...strides.map((stride) => ({
        name: `kps_${stride}`,
        type: 'float32' as const,
        shape: ['n', 'cells', 10],
        meaning: `x and y of right eye, left eye, nose, right and left corner of the mouth (right of the person), relative to the corner of the cell, in units of ${stride} pixels`,
      })),
    ],
    preprocessing:
      'scaled down to a longer side of 640 pixels, padded with zeros at the right and bottom to a multiple of 32',
    quality:
      'finds the face in 61 of 61 portraits (deepface). Of 19 photos with a known count, 18 are right and 1 has a false positive, a drawn face. Finds 12 of 14 faces in a group in costumes',
  },
  mobilefacenet: {
    purpose: 'face embedding',
    version: '408e13c',
    licence: { code: 'Apache-2.0', weights: 'Apache-2.0 (in the repository of the author)' },
    trainingData:
      'refined MS-Celeb-1M, photos of well-known people from the web; Microsoft has withdrawn the data set. All strong public face models were trained on similar data',
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
        meaning: 'red, green, blue of an aligned face, normalized with the mean and standard deviation of ImageNet',
      },
    ],
    outputs: [
      {
        name: 'output0',
        type: 'float32',
        shape: [1, 128],
        meaning: 'embedding, not normalized',
      },
    ],
    preprocessing: 'aligned: the five landmarks are mapped to their ArcFace positions in 112×112 pixels',
    quality:
      'of 300 pairs, the same person has a cosine of at least 0.482, different people at most 0.362 (two children: 0.08). 42 faces of 15 people are grouped without error at thresholds from 0.42 to 0.46. Published: 99.48 % on LFW',
  },
} as const satisfies Record<string, Model>;
