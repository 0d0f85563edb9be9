import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isRunning } from '@hearth/core/process/processUsage.ts';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { openInference, type Inference, type InferenceOptions } from './inference.ts';
import type { PictureSizes } from './pixels/rgbPixels.ts';
import type { ChosenProvider } from './process/inferenceProtocol.ts';
import { obtainModel } from './store/obtainModel.ts';
import { listTaskModels, explainUnavailable } from './taskModels.ts';
import { lacksModels, listPictures, testSettings, testStore } from '@hearth/testkit/models/testModels.ts';

const generous: InferenceOptions = {
  settings: testSettings,
  timeoutMs: 60_000,
  idleMs: 60_000,
  memoryLimitBytes: 1e9,
  onProvider: () => undefined,
};

function open(t: TestContext, options: Partial<InferenceOptions> = {}): Inference {
  const inference = openInference({ ...generous, ...options });
  t.after(() => inference.close());
  return inference;
}

const readPicture = async (kind: string, name: string): Promise<PictureSizes> => [
  await readTestPixels(
    listPictures(kind).find((path) => path.endsWith(name))!,
    960,
  ),
];

/** A uniformly grey picture. */
const grey: PictureSizes = [{ data: Buffer.alloc(3 * 64 * 64, 128), width: 64, height: 64 }];

test('finds faces, things and text of a picture in a child process', { skip: lacksModels }, async (t) => {
  const inference = open(t);
  const [faces, labels, text] = await Promise.all([
    inference.findFaces(await readPicture('faces', 'couple.jpg')),
    inference.findLabels(await readPicture('things', 'zebra_green_brown.jpg')),
    inference.findText(await readPicture('text', 'ger_1.jpg')),
  ]);
  assert.equal(faces.length, 2);
  assert.equal(faces[0]!.embedding.length, 128);
  assert.equal(labels.objects[0]?.kind, 'zebra');
  assert.match(labels.scenes[0]!.kind, /zebra/);
  assert.match(text.map((line) => line.text).join(' '), /EPPING/);
});

test('fails only the current picture when the process is killed', async (t) => {
  const inference = open(t);
  await inference.findFaces(grey);
  const pid = inference.childPid()!;
  const [doomed, next] = [inference.findText(grey), inference.findFaces(grey)];
  process.kill(pid, 'SIGKILL');
  await assert.rejects(doomed, { name: 'InferenceError', code: 'CRASHED' });
  assert.deepEqual(await next, []);
  assert.notEqual(inference.childPid(), pid);
});

test('ends the process when a picture takes too long or too much memory', async (t) => {
  await assert.rejects(open(t, { timeoutMs: 1 }).findText(grey), { code: 'TIMED_OUT', message: /0\.001 seconds/ });
  await assert.rejects(open(t, { memoryLimitBytes: 30e6 }).findText(grey), { code: 'OUT_OF_MEMORY', message: /30 MB/ });
});

test('ends an idle process to free its memory', async (t) => {
  const inference = open(t, { idleMs: 50 });
  await inference.findFaces(grey);
  const pid = inference.childPid();
  if (pid !== undefined) await waitUntil('the process is gone', () => !isRunning(pid));
  assert.equal(inference.childPid(), undefined);
  assert.deepEqual(await inference.findFaces(grey), []);
});

test('reports a missing model, and finds it once it is fetched', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-models-'));
  t.after(() => rm(directory, { recursive: true }));
  const store = { ...testStore, directory, mirror: testStore.directory };
  const inference = open(t, { settings: { ...testSettings, store } });
  assert.match((await explainUnavailable({ ...testSettings, store }, 'faces'))!, /yunet.*mobilefacenet/);
  await assert.rejects(inference.findFaces(grey), { name: 'MissingModelError', message: /yunet.*npm run models/ });
  const pid = inference.childPid();
  for (const name of listTaskModels(testSettings, 'faces')) await obtainModel(store, name);
  assert.equal(await explainUnavailable({ ...testSettings, store }, 'faces'), undefined);
  assert.deepEqual(await inference.findFaces(grey), []);
  assert.equal(inference.childPid(), pid);
});

test('reads text without files other than those of npm', async (t) => {
  const store = { directory: '/nowhere', mirror: undefined, isOffline: true };
  assert.deepEqual(await open(t, { settings: { ...testSettings, store } }).findText(grey), []);
});

test('reports an unavailable provider and computes on the CPU', async (t) => {
  const reported: ChosenProvider[] = [];
  const inference = open(t, {
    settings: { ...testSettings, provider: 'rocm' },
    onProvider: (each) => reported.push(each),
  });
  assert.deepEqual(await inference.findText(grey), []);
  assert.equal(reported.length, 1);
  assert.equal(reported[0]!.name, 'cpu');
  assert.match(reported[0]!.problem!, /does not support rocm here; it supports cpu/);
});

test('ends the process with its parent, even after kill -9', async () => {
  const program = `
    import { openInference } from ${JSON.stringify(new URL('inference.ts', import.meta.url).href)};
    const inference = openInference({ ...${JSON.stringify(generous)}, onProvider: () => console.log(inference.childPid()) });
    await inference.findText([{ data: Buffer.alloc(3 * 64 * 64), width: 64, height: 64 }]);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line);
  assert.ok(isRunning(pid));
  parent.kill('SIGKILL');
  await waitUntil('the child is gone', () => !isRunning(pid));
});

test('rejects unfinished calls on close and leaves no process', async () => {
  const inference = openInference(generous);
  const unfinished = [grey, grey].map((picture) =>
    assert.rejects(inference.findText(picture), { name: 'InferenceError', code: 'CRASHED' }),
  );
  await waitUntil('the process runs', () => inference.childPid() !== undefined);
  const pid = inference.childPid()!;
  await inference.close();
  await Promise.all(unfinished);
  assert.equal(isRunning(pid), false);
});
