import { modelNames, modelOf } from '../../services/inference/src/models/models.ts';

/** The line of NOTICE below which the models are listed. */
export const modelsMark = '---- Models (npm run docs:notice) ----';

/** What NOTICE says of each model that Hearth runs: its licences, what it has learned from, and where it comes from. */
export const describeModels = (): string =>
  modelNames
    .map((name) => {
      const { version, purpose, licence, trainingData, files } = modelOf(name);
      const origins = files.map(({ origin }) =>
        'package' in origin
          ? `${origin.package}@${origin.version} (npm)`
          : 'url' in origin
            ? origin.url
            : `on no server: ${origin.onlyMirror}`,
      );
      return [
        `${name} ${version}, ${purpose}`,
        `  code: ${licence.code}`,
        `  weights: ${licence.weights}`,
        `  learned from: ${trainingData}`,
        ...[...new Set(origins)].map((origin) => `  ${origin}`),
      ].join('\n');
    })
    .join('\n\n');
