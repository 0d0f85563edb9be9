import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import { faceModels } from './faceModels.ts';
import type { Model } from './model.ts';
import { searchModels } from './searchModels.ts';
import { textModels } from './textModels.ts';
import { thingModels } from './thingModels.ts';

/** Every model that Hearth can run. A file of one is `<directory>/<folder of the model>/<name of the file>`, in the store as in a mirror. */
export const models = { ...faceModels, ...thingModels, ...textModels, ...searchModels } satisfies Record<string, Model>;

export type ModelName = keyof typeof models;

/** All names, in the order in which they are listed. */
export const modelNames = Object.keys(models) as ModelName[];

/** What is known of a model. */
export const modelOf = (name: ModelName): Model => models[name];

/** The folder of a model's files, in the store as in a mirror. */
export const folderOf = (name: ModelName): string => modelOf(name).folder ?? name;

/** The models of an installation that is searched by this one. */
export const modelNamesWith = (searchModel: SearchModelName): readonly ModelName[] =>
  modelNames.filter((name) => !(name in searchModels) || folderOf(name) === searchModel);
