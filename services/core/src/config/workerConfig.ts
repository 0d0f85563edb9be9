import { availableParallelism, hostname } from 'node:os';
import { z } from 'zod';
import { backEndVariables, commonVariables, databaseVariables } from './commonConfig.ts';
import { variable, wholeNumber, type ConfigOf } from './config.ts';
import { getDecoderMemoryBytes, getMemoryLimitBytes } from './memoryLimit.ts';
import { poolNames } from './pipeline.ts';
import { modelVariables } from './modelConfig.ts';
import { placesVariables } from './placesConfig.ts';

/** The variables of the worker process, in the order of `--help`. */
export const workerVariables = (env: NodeJS.ProcessEnv) => ({
  name: variable({
    name: 'HEARTH_WORKER_NAME',
    description:
      'Unique name of this worker, such as its pod name; at start it cleans up after an earlier worker of the same name',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/, { error: 'expected a name such as a pod name' })
      // Includes the host name, because in containers the process id is often the same.
      .default(`${hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-')}-${process.pid}`),
    default: '<host>-<process id>',
  }),
  pools: variable({
    name: 'HEARTH_POOLS',
    description: `Pools of jobs for this worker, separated by commas: ${poolNames.join(', ')}`,
    schema: z
      .string()
      .default(poolNames.join(','))
      .transform((value) => value.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum([...poolNames], { error: `expected names among ${poolNames.join(', ')}` }))),
    default: 'all',
  }),
  concurrency: variable({
    name: 'HEARTH_WORKER_CONCURRENCY',
    // Twice the cores: some photos wait for the database and the disk while others keep the cores busy.
    description:
      'Photos processed at the same time, in addition to one video and one transcoding. At most one per core is decoded at a time, each in its own process',
    schema: wholeNumber(1, 256, 2 * availableParallelism()),
    default: 'twice the number of cores',
  }),
  ...databaseVariables,
  ...backEndVariables(env),
  ...commonVariables(env),
  exiftool: variable({
    name: 'HEARTH_EXIFTOOL',
    description: 'Path of the exiftool program',
    schema: z.string().optional(),
    default: 'the one that comes with npm',
  }),
  confinement: variable({
    name: 'HEARTH_CONFINEMENT',
    description:
      'Sandbox of the decoders, without network, other processes and other files. auto: used if the system supports it (bubblewrap, or setpriv of util-linux 2.40 with Landlock). required: the worker does not start without it. off: not used',
    schema: z.enum(['auto', 'required', 'off']).default('auto'),
    default: 'auto',
  }),
  ...placesVariables(env),
  ...modelVariables(env),
  maxPixels: variable({
    name: 'HEARTH_MAX_PIXELS',
    description: 'Maximum size of a decoded picture, in pixels',
    schema: wholeNumber(1, 2 ** 31, 150_000_000),
    default: '150000000',
  }),
  decodeTimeoutSeconds: variable({
    name: 'HEARTH_DECODE_TIMEOUT_SECONDS',
    description: 'Timeout for decoding one photo. The only retry takes three times as long at most',
    schema: wholeNumber(1, 3_600, 60),
    default: '60',
  }),
  decodeMemoryBytes: variable({
    name: 'HEARTH_DECODE_MEMORY_BYTES',
    description: 'Memory limit of one decoder process',
    schema: wholeNumber(100_000_000, Number.MAX_SAFE_INTEGER, 1_200_000_000),
    default: '1200000000',
  }),
  decodersMemoryBytes: variable({
    name: 'HEARTH_DECODERS_MEMORY_BYTES',
    description:
      'Memory limit of all decoders, the transcoder and exiftool of this worker together; above it, the largest one is killed',
    schema: wholeNumber(100_000_000, Number.MAX_SAFE_INTEGER, getDecoderMemoryBytes(getMemoryLimitBytes())),
    default: 'the memory of the container or machine minus 1 GB, but at least half of it',
  }),
  leaseSeconds: variable({
    name: 'HEARTH_LEASE_SECONDS',
    description: 'Time after which another worker takes over the jobs of a lost worker',
    schema: wholeNumber(2, 3_600, 30),
    default: '30',
  }),
  stopTimeoutSeconds: variable({
    name: 'HEARTH_STOP_TIMEOUT_SECONDS',
    description: 'Time that active items may take to finish at shutdown',
    schema: wholeNumber(1, 3_600, 25),
    default: '25',
  }),
});

export type WorkerConfig = ConfigOf<ReturnType<typeof workerVariables>>;
