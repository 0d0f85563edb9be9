/** An image that is built from this repository. */
export interface Image {
  readonly repository: string;
  /** Its Dockerfile, built from the root of the repository. */
  readonly dockerfile: string;
  /** The key of the chart's values under which its repository and tag stand. */
  readonly valuesKey: 'api' | 'worker' | 'operator' | 'site';
  /** Most megabytes (10^6 bytes) of all its layers, as an engine that has unpacked them tells it. `npm run docs:images` writes what was measured. */
  readonly mostMegabytes: number;
  /** The same of an image that was built with FFmpeg. */
  readonly mostMegabytesWithFfmpeg?: number;
  /** What it consists of besides the base and what is installed by apt: each a sentence's beginning and its files, below the folder of the code. */
  readonly parts: readonly { readonly what: string; readonly files: string }[];
}

/** The label of the worker's image that says whether it has FFmpeg, `with` or `without`: see docs/docs/dev-guide/images.md. */
export const ffmpegLabel = 'photos.hearth.ffmpeg';

/** The base of every image: Debian and Node. */
export const baseImage = 'node:24-trixie-slim';

const packages = { what: 'packages of npm', files: 'node_modules' };
const compiled = { what: 'what Node has compiled of the code', files: 'compiled' };

/** Every image, in the order of the table in docs/docs/dev-guide/images.md. */
export const images: readonly Image[] = [
  {
    repository: 'ghcr.io/hearth-photos/hearth-api',
    dockerfile: 'services/api/Dockerfile',
    valuesKey: 'api',
    // 46 MB of it are onnxruntime, by which queries are embedded.
    mostMegabytes: 400,
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
    // With the postcodes of all countries the map of places is 20 MB larger than with those that were at hand when this was measured.
    mostMegabytes: 555,
    mostMegabytesWithFfmpeg: 730,
    parts: [
      packages,
      { what: 'the map of places', files: 'places.bin' },
      { what: 'the code', files: 'services' },
      compiled,
    ],
  },
  {
    repository: 'ghcr.io/hearth-photos/hearth-queue-scaler',
    dockerfile: 'operators/queue-scaler/Dockerfile',
    valuesKey: 'operator',
    mostMegabytes: 345,
    parts: [packages, { what: 'the code', files: 'operators' }, compiled],
  },
  {
    repository: 'ghcr.io/hearth-photos/hearth-docs',
    dockerfile: 'docs/Dockerfile',
    valuesKey: 'site',
    mostMegabytes: 320,
    parts: [
      { what: 'the site', files: 'docs/build' },
      { what: 'its server with its packages', files: 'docs/server docs/node_modules' },
      compiled,
    ],
  },
];
