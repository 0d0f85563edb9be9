/** An image built from this repository. */
export interface Image {
  readonly repository: string;
  /** Path of the Dockerfile. The build context is the root of the repository. */
  readonly dockerfile: string;
  /** Key of the chart's values with the repository and tag. */
  readonly valuesKey: 'api' | 'worker' | 'operator' | 'site';
  /** Maximum size of all unpacked layers, in MB (10^6 bytes). `npm run docs:images` writes the measured sizes. */
  readonly maxMegabytes: number;
  /** Maximum size of an image built with FFmpeg. */
  readonly maxMegabytesWithFfmpeg?: number;
  /** Parts in addition to the base and apt packages: a description and the files, relative to the code's folder. */
  readonly parts: readonly { readonly what: string; readonly files: string }[];
}

/** Label of the worker image with the value `with` or `without` FFmpeg: see docs/docs/dev-guide/images.md. */
export const ffmpegLabel = 'photos.hearth.ffmpeg';

/** Base of every image: Debian and Node. */
export const baseImage = 'node:24-trixie-slim';

const packages = { what: 'npm packages', files: 'node_modules' };
const compiled = { what: 'compile cache of Node', files: 'compiled' };

/** All images, in the order of the table in docs/docs/dev-guide/images.md. */
export const images: readonly Image[] = [
  {
    repository: 'ghcr.io/hearth-photos/hearth-api',
    dockerfile: 'services/api/Dockerfile',
    valuesKey: 'api',
    // Includes 46 MB of onnxruntime, which embeds search queries.
    maxMegabytes: 400,
    parts: [
      packages,
      { what: 'the web app', files: 'services/web' },
      { what: 'the code', files: 'services/api services/contract services/core services/inference' },
      compiled,
    ],
  },
  {
    repository: 'ghcr.io/hearth-photos/hearth-worker',
    dockerfile: 'services/worker/Dockerfile',
    valuesKey: 'worker',
    // Leaves room for 20 MB: published images have the postcodes of all countries, measured ones those of the test data.
    maxMegabytes: 555,
    maxMegabytesWithFfmpeg: 730,
    parts: [packages, { what: 'place map', files: 'places.bin' }, { what: 'the code', files: 'services' }, compiled],
  },
  {
    repository: 'ghcr.io/hearth-photos/hearth-queue-scaler',
    dockerfile: 'operators/queue-scaler/Dockerfile',
    valuesKey: 'operator',
    maxMegabytes: 345,
    parts: [packages, { what: 'the code', files: 'operators' }, compiled],
  },
  {
    repository: 'ghcr.io/hearth-photos/hearth-docs',
    dockerfile: 'docs/Dockerfile',
    valuesKey: 'site',
    maxMegabytes: 320,
    parts: [
      { what: 'the site', files: 'docs/build' },
      { what: 'server with npm packages', files: 'docs/server docs/node_modules' },
      compiled,
    ],
  },
];
