import type { ModelName } from './models/models.ts';
import type { InferenceSettings, TaskName } from './process/inferenceProtocol.ts';
import { findModel } from './store/findModel.ts';
import { MissingModelError } from './store/missingModel.ts';

/** Returns the models of a task. A task is impossible while one of its models is missing. */
export const listTaskModels = (
  { searchModel }: Pick<InferenceSettings, 'searchModel'>,
  task: TaskName,
): readonly ModelName[] => {
  const names: Readonly<Record<TaskName, readonly ModelName[]>> = {
    faces: ['yunet', 'mobilefacenet'],
    labels: ['shufflenet-v2-int8', 'yolox-nano'],
    glance: ['ppocr-v4-detection'],
    text: ['ppocr-v4-detection', 'ppocr-v2-direction', 'ppocr-v4-recognition'],
    meaning: [`${searchModel}-image`],
    query: [`${searchModel}-text`],
  };
  return names[task];
};

/**
 * Returns the reason why a task is impossible, in sentences; undefined if all of its models are present. Fetches and
 * loads nothing.
 */
export async function explainUnavailable(
  settings: Pick<InferenceSettings, 'store' | 'searchModel'>,
  task: TaskName,
): Promise<string | undefined> {
  const sentences: string[] = [];
  for (const name of listTaskModels(settings, task))
    try {
      await findModel(settings.store, name);
    } catch (error) {
      if (!(error instanceof MissingModelError)) throw error;
      sentences.push(error.message);
    }
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
