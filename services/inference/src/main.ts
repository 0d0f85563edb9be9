import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { modelVariables } from '@hearth/core/config/modelConfig.ts';
import { getInferenceSettings } from './inferenceSettings.ts';
import { listModelNames, getModel, type ModelName } from './models/models.ts';
import type { FetchProgress } from './store/fetchModelFile.ts';
import { findModel } from './store/findModel.ts';
import { MissingModelError } from './store/missingModel.ts';
import { obtainModel } from './store/obtainModel.ts';

// npm run models: lists the models and fetches missing ones. With -- --list it only lists.
const config = configureProcess('hearth-models: downloads the models; --list only lists them.', modelVariables);
const onlyLists = process.argv.includes('--list');
const { store, searchModel } = getInferenceSettings(config);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Interval of progress lines, in ms. */
const progressMs = 2_000;

let printedAt = Date.now();
const reportProgress = ({ file, bytes }: FetchProgress): void => {
  if (Date.now() - printedAt < progressMs) return;
  printedAt = Date.now();
  print(`  … ${file.name}: ${Math.floor((100 * bytes) / file.bytes)} %`);
};

const describe = (name: ModelName): string => {
  const { purpose, version, licence, files } = getModel(name);
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return `${name} ${version}, ${purpose}: ${megabytes.toFixed(1)} MB, ${licence.weights}`;
};

for (const name of listModelNames(searchModel)) {
  print(describe(name));
  try {
    const { paths } = await (onlyLists ? findModel(store, name) : obtainModel(store, name, reportProgress));
    for (const path of paths) print(`  ${path}`);
  } catch (error) {
    if (!(error instanceof MissingModelError)) throw error;
    print(`  ${error.message}`);
    process.exitCode = 1;
  }
}
