import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { commonVariables } from './commonConfig.ts';
import { text, variable, wholeNumber, type ConfigOf } from './config.ts';
import { folderOrUrl, offlineVariable } from './downloadConfig.ts';
import { searchModelNames } from './searchModels.ts';

/** The variables of the ML models: where their files are, and what runs them. */
export const modelVariables = (env: NodeJS.ProcessEnv) => ({
  dataDirectory: commonVariables(env).dataDirectory,
  modelDirectory: variable({
    name: 'HEARTH_MODEL_DIR',
    description: 'Folder of the downloaded models',
    schema: text()
      .transform((path) => resolve(env['INIT_CWD'] ?? process.cwd(), path))
      .optional(),
    default: '<data>/models',
  }),
  modelMirror: variable({
    name: 'HEARTH_MODEL_MIRROR',
    description: 'Folder or URL of a mirror of the model files, such as yunet/yunet_n_dynamic.onnx',
    schema: folderOrUrl(env).optional(),
    default: 'downloaded from GitHub, npm and Hugging Face',
  }),
  isOffline: offlineVariable(),
  executionProvider: variable({
    name: 'HEARTH_ML_PROVIDER',
    description: 'Execution provider of the models: cpu, or another one of the installed onnxruntime, such as cuda',
    schema: z
      .string()
      .regex(/^[a-z]+$/, { error: 'expected a name such as cpu or cuda' })
      .default('cpu'),
    default: 'cpu',
  }),
  searchModel: variable({
    name: 'HEARTH_SEARCH_MODEL',
    description: `Model of semantic search: ${searchModelNames.slice(0, 2).join(', or ')}, which finds more, but has 155 MB and is slower. A change reprocesses all pictures; until then, search uses the earlier model`,
    schema: z
      .enum(searchModelNames, { error: `expected one of ${searchModelNames.join(', ')}` })
      .default(searchModelNames[0]),
    default: searchModelNames[0],
  }),
  inferenceThreads: variable({
    name: 'HEARTH_ML_THREADS',
    description: 'Threads per model; one model runs at a time',
    schema: wholeNumber(1, 256, Math.min(4, availableParallelism())),
    default: 'the number of cores, at most 4',
  }),
});

type ModelConfig = ConfigOf<ReturnType<typeof modelVariables>>;

export const getModelDirectory = ({ modelDirectory, dataDirectory }: ModelConfig): string =>
  modelDirectory ?? join(dataDirectory, 'models');
