import { faceModels } from './faceModels.ts';
import type { Model } from './model.ts';
import { textModels } from './textModels.ts';
import { thingModels } from './thingModels.ts';

/** Every model that Hearth runs. A file of one is `<directory>/<name of the model>/<name of the file>`, in the store as in a mirror. */
export const models = { ...faceModels, ...thingModels, ...textModels } satisfies Record<string, Model>;

export type ModelName = keyof typeof models;

/** All names, in the order in which they are listed. */
export const modelNames = Object.keys(models) as ModelName[];

/** What is known of a model. */
export const modelOf = (name: ModelName): Model => models[name];
