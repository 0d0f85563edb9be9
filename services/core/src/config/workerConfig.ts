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
      "This worker's name in the queue, such as its pod's; no other one may have it, and it removes what one of that name has left behind",
    schema: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/, { error: 'expected a name such as that of a pod' })
      // In containers every process has the same number.
      .default(`${hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-')}-${process.pid}`),
    default: '<host>-<process id>',
  }),
  pools: variable({
    name: 'HEARTH_POOLS',
    description: `Pools that this worker pulls from, by commas: ${poolNames.join(', ')}`,
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
      'Photos processed at the same time, in addition to one video and one transcoding; at most one per core is decoded at a time, each in a process of its own',
    schema: wholeNumber(1, 256, 2 * availableParallelism()),
    default: 'twice the number of cores',
  }),
  ...databaseVariables,
  ...backEndVariables(env),
  ...commonVariables(env),
  exiftool: variable({
    name: 'HEARTH_EXIFTOOL',
    description: 'The exiftool program to run',
    schema: z.string().optional(),
    default: 'the one that comes with npm',
  }),
  confinement: variable({
    name: 'HEARTH_CONFINEMENT',
    description:
      'Whether what opens uploaded files is kept from the network, other processes and other files: auto as far as the system allows it (bubblewrap, or setpriv of util-linux 2.40 with Landlock), required or the worker does not start, off',
    schema: z.enum(['auto', 'required', 'off']).default('auto'),
    default: 'auto',
  }),
  ...placesVariables(env),
  ...modelVariables(env),
  maxPixels: variable({
    name: 'HEARTH_MAX_PIXELS',
    description: 'Largest picture that is decoded, in pixels',
    schema: wholeNumber(1, 2 ** 31, 150_000_000),
    default: '150000000',
  }),
  decodeTimeoutSeconds: variable({
    name: 'HEARTH_DECODE_TIMEOUT_SECONDS',
    description: 'Time limit for decoding one photo; after a timeout it is tried once more with three times as long',
    schema: wholeNumber(1, 3_600, 60),
    default: '60',
  }),
  decodeMemoryBytes: variable({
    name: 'HEARTH_DECODE_MEMORY_BYTES',
    description: 'Memory that one decoder process may use',
    schema: wholeNumber(100_000_000, Number.MAX_SAFE_INTEGER, 1_200_000_000),
    default: '1200000000',
  }),
  decodersMemoryBytes: variable({
    name: 'HEARTH_DECODERS_MEMORY_BYTES',
    description:
      'Memory that all decoders, the transcoder and exiftool of this worker may use together; if they exceed it, the largest one is ended',
    schema: wholeNumber(100_000_000, Number.MAX_SAFE_INTEGER, getDecoderMemoryBytes(getMemoryLimitBytes())),
    default: 'the memory of the container or machine less 1 GB, but at least half of it',
  }),
  leaseSeconds: variable({
    name: 'HEARTH_LEASE_SECONDS',
    description: 'Time after which another worker repeats the work of one that disappeared',
    schema: wholeNumber(2, 3_600, 30),
    default: '30',
  }),
  stopTimeoutSeconds: variable({
    name: 'HEARTH_STOP_TIMEOUT_SECONDS',
    description: 'How long the items in hand may take to finish when the process is asked to end',
    schema: wholeNumber(1, 3_600, 25),
    default: '25',
  }),
});

export type WorkerConfig = ConfigOf<ReturnType<typeof workerVariables>>;
