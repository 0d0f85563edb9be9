import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { InferenceSession } from 'onnxruntime-node';
import { findModel } from '../store/findModel.ts';
import { givenModels, needsGivenModels, testStore, toyStore } from '@hearth/testkit/models/testModels.ts';
import type { TensorDescription } from './model.ts';
import { getModelFolder, modelNames, getModel, type ModelName } from './models.ts';
import { searchModels } from './searchModels.ts';

test('pins every file by checksum and by commit or version', () => {
  for (const name of modelNames)
    for (const { name: file, bytes, sha256, origin } of getModel(name).files) {
      assert.match(sha256, /^[0-9a-f]{64}$/, file);
      assert.ok(bytes > 0, file);
      if ('url' in origin)
        assert.match(
          origin.url,
          /^https:\/\/(raw\.githubusercontent\.com\/[^/]+\/[^/]+|huggingface\.co\/[^/]+\/[^/]+\/resolve)\/[0-9a-f]{40}\//,
        );
      else if ('package' in origin) assert.match(origin.path, /^assets\//);
      else assert.match(name, /^concept-lite/, 'only the stand-in has no download URL');
    }
});

test('installs the pinned version of the package with models', () => {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  for (const name of modelNames)
    for (const { origin } of getModel(name).files)
      if ('package' in origin) assert.equal(dependencies[origin.package], origin.version);
});

/** Replaces the names of variable dimensions, which differ between manifest and model. */
const normalizeShape = (shape: readonly (number | string)[]): (number | 'any')[] =>
  shape.map((size) => (typeof size === 'number' ? size : 'any'));

const describe = ({ name, type, shape }: Pick<TensorDescription, 'name' | 'type' | 'shape'>) => ({
  name,
  type,
  shape: normalizeShape(shape),
});

/** Returns the store that has a model, and the reason to skip its test, or false. */
const locateModel = async (name: ModelName) => {
  const isInTestStore = existsSync(join(testStore.directory, getModelFolder(name)));
  const store = isInTestStore ? testStore : givenModels;
  const isFound = await findModel(store, name).then(
    () => true,
    () => false,
  );
  return { name, title: name, store, skipReason: isFound ? false : needsGivenModels };
};

const locatedModels = [
  ...(await Promise.all(modelNames.map(locateModel))),
  ...(Object.keys(toyStore.files ?? {}) as ModelName[]).map((name) => {
    return { name, title: `the toy model in place of ${name}`, store: toyStore, skipReason: false as const };
  }),
];

for (const { name, title, store, skipReason } of locatedModels)
  test(`matches the inputs and outputs of the manifest: ${title}`, { skip: skipReason }, async () => {
    const session = await InferenceSession.create((await findModel(store, name)).paths[0]!);
    const { inputs, outputs } = getModel(name);
    for (const [described, real] of [
      [inputs, session.inputMetadata],
      [outputs, session.outputMetadata],
    ] as const) {
      const found = real.flatMap((each) =>
        each.isTensor ? [describe(each as Pick<TensorDescription, 'name' | 'type' | 'shape'>)] : [],
      );
      // Exports of CLIP have more outputs than used, and leave dimensions variable that are fixed in CLIP's code.
      if (name in searchModels)
        for (const each of described.map(describe)) {
          const same = found.find((other) => other.name === each.name);
          assert.ok(same?.type === each.type, each.name);
          for (const [at, size] of each.shape.entries())
            assert.ok([size, 'any'].includes(same.shape[at]!), `${each.name} ${same.shape.join('×')}`);
        }
      else assert.deepEqual(found, described.map(describe));
    }
    await session.release();
  });
