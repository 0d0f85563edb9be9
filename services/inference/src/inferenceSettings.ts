import type { ConfigOf } from '@hearth/core/config/config.ts';
import { getModelDirectory, type modelVariables } from '@hearth/core/config/modelConfig.ts';
import type { InferenceSettings } from './process/inferenceProtocol.ts';

/** Returns the location of models and the execution provider, from the configuration of a process. */
export const getInferenceSettings = (config: ConfigOf<ReturnType<typeof modelVariables>>): InferenceSettings => ({
  store: { directory: getModelDirectory(config), mirror: config.modelMirror, isOffline: config.isOffline },
  threads: config.inferenceThreads,
  provider: config.executionProvider,
  searchModel: config.searchModel,
});
