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
    description: 'Folder of the models that recognise what photos show',
    schema: text()
      .transform((path) => resolve(env['INIT_CWD'] ?? process.cwd(), path))
      .optional(),
    default: '<data>/models',
  }),
  modelMirror: variable({
    name: 'HEARTH_MODEL_MIRROR',
    description: 'Folder or URL that has the files of models, as yunet/yunet_n_dynamic.onnx and so on',
    schema: folderOrUrl(env).optional(),
    default: 'they are fetched from GitHub',
  }),
  isOffline: offlineVariable(),
  executionProvider: variable({
    name: 'HEARTH_ML_PROVIDER',
    description: 'What models run on: cpu, or such as cuda where the library of onnxruntime that is installed has it',
    schema: z
      .string()
      .regex(/^[a-z]+$/, { error: 'expected a name such as cpu or cuda' })
      .default('cpu'),
    default: 'cpu',
  }),
  searchModel: variable({
    name: 'HEARTH_SEARCH_MODEL',
    description: `The model by which what pictures show is searched: ${searchModelNames.slice(0, 2).join(', or ')}, which is better, of 155 MB, and slower; after a change all pictures are looked at again, and meanwhile the earlier one answers`,
    schema: z
      .enum(searchModelNames, { error: `expected one of ${searchModelNames.join(', ')}` })
      .default(searchModelNames[0]),
    default: searchModelNames[0],
  }),
  inferenceThreads: variable({
    name: 'HEARTH_ML_THREADS',
    description: 'Threads of a model that runs; one model runs at a time',
    schema: wholeNumber(1, 256, Math.min(4, availableParallelism())),
    default: 'the number of cores, at most 4',
  }),
});

type ModelConfig = ConfigOf<ReturnType<typeof modelVariables>>;

export const getModelDirectory = ({ modelDirectory, dataDirectory }: ModelConfig): string =>
  modelDirectory ?? join(dataDirectory, 'models');
