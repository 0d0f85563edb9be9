import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { searchModelNames } from '@hearth/core/config/searchModels.ts';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { embeddingSides } from './embeddings/embedding.ts';
import { openTokenizer } from './embeddings/clipTokens.ts';
import { openSessions } from './process/sessions.ts';
import { tasks } from './process/tasks.ts';
import { findModel } from './store/findModel.ts';
import { explainUnavailable } from './taskModels.ts';
import { listTexts } from '@hearth/testkit/models/manyTexts.ts';
import { runSecondImplementation } from '@hearth/testkit/models/runSecondImplementation.ts';
import {
  givenModels,
  lacksModels,
  listPictures,
  needsGivenModels,
  testSettings,
  testStore,
} from '@hearth/testkit/models/testModels.ts';

/** The result of the second implementation, which is in Python, for a text. */
interface SecondText {
  readonly tokens: readonly number[];
  readonly embedding: readonly number[] | null;
}

const lacksPython = missingTool('python-onnxruntime');

/** Each model with the store that has it, and the reason to skip its tests. */
const models = await Promise.all(
  searchModelNames.map(async (model) => {
    const store = model === 'concept-lite' ? testStore : givenModels;
    const settings = { ...testSettings, store, searchModel: model };
    const isMissing = (await explainUnavailable(settings, 'meaning')) ?? (await explainUnavailable(settings, 'query'));
    return { model, settings, skipReason: isMissing !== undefined && needsGivenModels };
  }),
);

const computeCosine = (one: Float32Array, other: readonly number[]): number =>
  one.reduce((sum, value, i) => sum + value * other[i]!, 0);

test('tokenizes 10,000 texts like the second implementation', { skip: lacksPython || lacksModels }, async () => {
  const [, vocabulary, merges] = (await findModel(testStore, 'concept-lite-text')).paths;
  const tokenize = await openTokenizer(vocabulary!, merges!);
  const texts = listTexts(10_000);
  const theirs = await runSecondImplementation<SecondText[]>({ texts, vocabulary: [vocabulary, merges] });
  let longest = 0;
  for (const [i, text] of texts.entries()) {
    assert.deepEqual(tokenize(text), theirs[i]!.tokens, JSON.stringify(text));
    longest = Math.max(longest, theirs[i]!.tokens.length);
  }
  assert.deepEqual([texts.length, longest], [10_000, 77]);
});

for (const { model, settings, skipReason } of models)
  suite(`a second implementation and ${model}`, { skip: lacksPython || lacksModels || skipReason }, () => {
    test('embed pictures in the same way', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'hearth-second-embeddings-'));
      t.after(() => rm(folder, { recursive: true }));
      const sessions = await openSessions(settings);
      const paths = [...listPictures('things'), ...listPictures('things-imagenet').slice(0, 20)];
      const pictures = await Promise.all(
        paths.map(async (path, i) => {
          const { data, width, height } = await readTestPixels(path, embeddingSides[0]);
          const file = join(folder, `${model}-${i}`);
          await writeFile(file, data);
          return { task: 'meaning', sizes: [{ path: file, width, height }], pixels: { data, width, height } };
        }),
      );
      const [weights] = (await sessions.open(`${model}-image`)).paths;
      const theirs = await runSecondImplementation<number[][]>({
        models: { image: weights },
        pictures: pictures.map(({ task, sizes }) => ({ task, sizes })),
      });
      for (const [i, { pixels }] of pictures.entries()) {
        const ours = await tasks.meaning(sessions, [pixels]);
        assert.ok(Math.abs(Math.hypot(...ours) - 1) < 1e-5);
        assert.ok(
          computeCosine(ours, theirs[i]!) >= 0.999,
          `${basename(paths[i]!)}: ${computeCosine(ours, theirs[i]!)}`,
        );
      }
      assert.ok(pictures.length >= 25);
    });

    test('embed texts in the same way', async () => {
      const sessions = await openSessions(settings);
      const texts = ['dog', 'a photo of a cat on a sofa', 'Strand bei Sonnenuntergang', '海', '', ...listTexts(40)];
      const [weights, ...vocabulary] = (await sessions.open(`${model}-text`)).paths;
      const theirs = await runSecondImplementation<SecondText[]>({ texts, vocabulary, model: weights });
      for (const [i, text] of texts.entries()) {
        const { vector } = await tasks.query(sessions, { model, text });
        // The stand-in returns zeros for a text without known words.
        if (theirs[i]!.embedding!.every((value) => value === 0))
          assert.ok(
            vector.every((value) => value === 0),
            text,
          );
        else
          assert.ok(
            computeCosine(vector, theirs[i]!.embedding!) >= 0.999,
            `${text}: ${computeCosine(vector, theirs[i]!.embedding!)}`,
          );
      }
    });
  });
