import type { ConfigOf } from '@hearth/core/config/config.ts';
import { modelDirectoryOf, type modelVariables } from '@hearth/core/config/modelConfig.ts';
import type { InferenceSettings } from './process/inferenceProtocol.ts';

/** Where models are and what they run on, by the configuration of a process. */
export const inferenceSettingsOf = (config: ConfigOf<ReturnType<typeof modelVariables>>): InferenceSettings => ({
  store: { directory: modelDirectoryOf(config), mirror: config.modelMirror, isOffline: config.isOffline },
  threads: config.inferenceThreads,
  provider: config.executionProvider,
  searchModel: config.searchModel,
});
