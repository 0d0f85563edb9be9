import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { modelVariables } from '@hearth/core/config/modelConfig.ts';
import { inferenceSettingsOf } from './inferenceSettings.ts';
import { modelNamesWith, modelOf, type ModelName } from './models/models.ts';
import type { FetchProgress } from './store/fetchModelFile.ts';
import { findModel } from './store/findModel.ts';
import { MissingModelError } from './store/missingModel.ts';
import { obtainModel } from './store/obtainModel.ts';

// npm run models: lists the models and fetches missing ones. With -- --list it only lists.
const config = configureProcess(
  'hearth-models: fetches the models that recognise what photos show; --list only lists them.',
  modelVariables,
);
const onlyLists = process.argv.includes('--list');
const { store, searchModel } = inferenceSettingsOf(config);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Interval of progress lines, in ms. */
const patienceMs = 2_000;

let saidAt = Date.now();
const tell = ({ file, bytes }: FetchProgress): void => {
  if (Date.now() - saidAt < patienceMs) return;
  saidAt = Date.now();
  say(`  … ${file.name}: ${Math.floor((100 * bytes) / file.bytes)} %`);
};

const describe = (name: ModelName): string => {
  const { purpose, version, licence, files } = modelOf(name);
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return `${name} ${version}, ${purpose}: ${megabytes.toFixed(1)} MB, ${licence.weights}`;
};

for (const name of modelNamesWith(searchModel)) {
  say(describe(name));
  try {
    const { paths } = await (onlyLists ? findModel(store, name) : obtainModel(store, name, tell));
    for (const path of paths) say(`  ${path}`);
  } catch (error) {
    if (!(error instanceof MissingModelError)) throw error;
    say(`  ${error.message}`);
    process.exitCode = 1;
  }
}
