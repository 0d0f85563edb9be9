import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { ModelName } from '../models/models.ts';
import { testStore } from '@hearth/testkit/models/testModels.ts';
import { findModel } from './findModel.ts';
import { getModelFiles, type ModelStore } from './modelStore.ts';
import { obtainModel } from './obtainModel.ts';

let folder: string;
let store: ModelStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-models-'));
  store = { ...testStore, directory: join(folder, 'models'), mirror: testStore.directory };
});
afterEach(() => rm(folder, { recursive: true }));

const computeSha256 = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

const write = async (path: string, content: string | Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};

test('copies a model from a mirror once, then finds it', async () => {
  await assert.rejects(findModel(store, 'shufflenet-v2-int8'), { name: 'MissingModelError' });
  const { paths } = await obtainModel(store, 'shufflenet-v2-int8');
  for (const [i, { sha256 }] of getModelFiles(store, 'shufflenet-v2-int8').entries())
    assert.equal(await computeSha256(paths[i]!), sha256);
  assert.deepEqual((await findModel({ ...store, mirror: undefined }, 'shufflenet-v2-int8')).paths, paths);
  assert.deepEqual((await readdir(dirname(paths[0]!))).toSorted(), ['shufflenet-v2-12-int8.onnx', 'synset.txt']);
});

test('rejects a file that changed on disk, and fetches it again', async () => {
  const [path = ''] = (await obtainModel(store, 'yunet')).paths;
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
  await assert.rejects(findModel(store, 'yunet'), { name: 'MissingModelError' });
  await obtainModel(store, 'yunet');
  assert.equal(await computeSha256(path), getModelFiles(store, 'yunet')[0]!.sha256);
});

test('rejects and deletes a wrong file from a mirror', async () => {
  const [file] = getModelFiles(store, 'yunet');
  const mirror = join(folder, 'mirror');
  await write(join(mirror, 'yunet', file!.name), Buffer.alloc(file!.bytes));
  await assert.rejects(obtainModel({ ...store, mirror }, 'yunet'), {
    message: /yunet_n_dynamic\.onnx has a wrong checksum/,
  });
  assert.deepEqual(await readdir(join(store.directory, 'yunet')), []);
});

test('the error names the missing files and how to get them', async () => {
  const empty = { ...store, mirror: join(folder, 'nothing') };
  await assert.rejects(obtainModel(empty, 'yolox-nano'), ({ message }: Error) => {
    assert.match(message, /Model yolox-nano \(detection of objects, animals and people\) is missing: /);
    assert.match(message, /lacks yolox_nano\.onnx and coco_classes\.txt\./);
    assert.match(message, /nothing\/yolox-nano\/yolox_nano\.onnx: not found\./);
    assert.match(message, /HEARTH_OFFLINE prevents the download from the internet\./);
    assert.match(
      message,
      /Run npm run models to download it, or copy https:\/\/raw\.githubusercontent\.com\/.*yolox_nano\.onnx there/,
    );
    return true;
  });
});

test('finds the text models in their npm package', async () => {
  for (const name of ['ppocr-v4-detection', 'ppocr-v4-recognition'] satisfies ModelName[])
    for (const path of (await findModel(store, name)).paths) assert.match(path, /node_modules/);
});

test('returns the model to two concurrent callers', async () => {
  const [one, other] = await Promise.all([obtainModel(store, 'mobilefacenet'), obtainModel(store, 'mobilefacenet')]);
  assert.deepEqual(one, other);
  assert.equal(await computeSha256(one.paths[0]!), getModelFiles(store, 'mobilefacenet')[0]!.sha256);
});
