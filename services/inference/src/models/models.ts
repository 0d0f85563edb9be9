import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import { faceModels } from './faceModels.ts';
import type { Model } from './model.ts';
import { searchModels } from './searchModels.ts';
import { textModels } from './textModels.ts';
import { thingModels } from './thingModels.ts';

/** All models. The path of a file is `<directory>/<folder of the model>/<file name>`, in the store and in a mirror. */
export const models = { ...faceModels, ...thingModels, ...textModels, ...searchModels } satisfies Record<string, Model>;

export type ModelName = keyof typeof models;

/** The names of all models, in display order. */
export const modelNames = Object.keys(models) as ModelName[];

export const getModel = (name: ModelName): Model => models[name];

/** Returns the folder of a model's files, in the store and in a mirror. */
export const getModelFolder = (name: ModelName): string => getModel(name).folder ?? name;

/** Returns the models of an installation with this search model. */
export const listModelNames = (searchModel: SearchModelName): readonly ModelName[] =>
  modelNames.filter((name) => !(name in searchModels) || getModelFolder(name) === searchModel);
