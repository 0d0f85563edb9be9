import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { InferenceSession } from 'onnxruntime-node';
import { findModel } from '../store/findModel.ts';
import { lacksModels, testStore } from '../testing/testModels.ts';
import { modelNames, modelOf } from './models.ts';

test('every file is pinned: by its checksum, and to a commit or a version', () => {
  for (const name of modelNames)
    for (const { name: file, bytes, sha256, origin } of modelOf(name).files) {
      assert.match(sha256, /^[0-9a-f]{64}$/, file);
      assert.ok(bytes > 0, file);
      if ('url' in origin)
        assert.match(origin.url, /^https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/[0-9a-f]{40}\//);
      else assert.match(origin.path, /^assets\//);
    }
});

test('the package that brings models is installed in the version that is pinned', () => {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  for (const name of modelNames)
    for (const { origin } of modelOf(name).files)
      if ('package' in origin) assert.equal(dependencies[origin.package], origin.version);
});

/** Names of dimensions that may have any size are the manifest's own. */
const sizesOf = (shape: readonly (number | string)[]): (number | 'any')[] =>
  shape.map((size) => (typeof size === 'number' ? size : 'any'));

for (const name of modelNames)
  test(`${name} takes and gives what the manifest says`, { skip: lacksModels }, async () => {
    const session = await InferenceSession.create((await findModel(testStore, name)).paths[0]!);
    const { inputs, outputs } = modelOf(name);
    for (const [described, real] of [
      [inputs, session.inputMetadata],
      [outputs, session.outputMetadata],
    ] as const)
      assert.deepEqual(
        real.map((each) => each.isTensor && { name: each.name, type: each.type, shape: sizesOf(each.shape) }),
        described.map(({ name, type, shape }) => ({ name, type, shape: sizesOf(shape) })),
      );
    await session.release();
  });
