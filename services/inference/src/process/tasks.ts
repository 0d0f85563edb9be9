import { readFile } from 'node:fs/promises';
import { embedPicture, embedText } from '../embeddings/embedding.ts';
import { findFaces } from '../faces/findFaces.ts';
import { findLabels } from '../labels/findLabels.ts';
import type { ModelName } from '../models/models.ts';
import { mayShowText } from '../text/mayShowText.ts';
import { findText } from '../text/findText.ts';
import type { Findings, Subject, TaskName } from './inferenceProtocol.ts';
import type { Sessions } from './sessions.ts';

export const tasks: {
  readonly [Name in TaskName]: (sessions: Sessions, subject: Subject<Name>) => Promise<Findings[Name]>;
} = {
  faces: ({ run }, sizes) => findFaces(run, sizes),
  labels: async ({ run, open }, sizes) => {
    const kinds = {
      scenes: await readLines(open, 'shufflenet-v2-int8'),
      objects: await readLines(open, 'yolox-nano'),
    };
    return findLabels(run, kinds, sizes);
  },
  glance: ({ run }, sizes) => mayShowText(run, sizes),
  text: async ({ run, open }, sizes) => findText(run, await readLines(open, 'ppocr-v4-recognition'), sizes),
  meaning: ({ run, searchModel }, sizes) => embedPicture(run, searchModel, sizes),
  query: async ({ run, getTokenizer }, { model, text }) => embedText(run, await getTokenizer(model), model, text),
};

/** Reads the list of kinds or characters that comes with the weights of a model. */
const readLines = async (open: Sessions['open'], name: ModelName): Promise<readonly string[]> => {
  const [, list] = (await open(name)).paths;
  return (await readFile(list!, 'utf8')).trimEnd().split(/\r?\n/);
};
