import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { unblockRuns } from '@hearth/core/runs/blockedRuns.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { components as builtPipeline, type Pipeline } from '@hearth/core/config/pipeline.ts';
import { holdBlockedRuns } from '@hearth/testkit/rows/holdBlockedRuns.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import type { ModelStore } from '@hearth/inference/store/modelStore.ts';
import { listTaskModels } from '@hearth/inference/taskModels.ts';
import { testSettings, testStore } from '@hearth/testkit/models/testModels.ts';
import { components } from '../pipeline/components.ts';
import type { Component } from './component.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { taskCapabilities } from './tools.ts';
import { openWorkerModels, type WorkerModels } from './workerModels.ts';

const worker = await openTestWorker();
after(() => worker[Symbol.asyncDispose]());

const openModels = async (
  t: TestContext,
  store: Partial<ModelStore>,
  checkIntervalMs = 60_000,
): Promise<WorkerModels> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-worker-models-'));
  const models = await openWorkerModels({
    settings: { ...testSettings, store: { ...testStore, directory, ...store } },
    tasks: ['faces', 'labels', 'text'],
    log: worker.deps.log.child({}, { level: 'silent' }),
    checkIntervalMs,
  });
  t.after(async () => {
    await models.close();
    await rm(directory, { recursive: true });
  });
  return models;
};

/** A component that classifies one grey picture, to test whether models are available. */
const searchComponent: Component = {
  name: 'SEARCH',
  tools: ['inference'],
  capabilities: [taskCapabilities.labels],
  run: async ({ inference }) => {
    await inference.findLabels([{ data: Buffer.alloc(3 * 64 * 64, 128), width: 64, height: 64 }]);
    return { state: 'DONE', warnings: [] };
  },
};
const pool = { name: 'media', concurrency: 'configured', hasSpareSlot: true } as const;
const pipeline: Pipeline = [
  ...builtPipeline.filter(({ name }) => name !== 'SEARCH'),
  { name: 'SEARCH', pools: { PHOTO: pool }, after: ['PREVIEW_THUMBNAIL'], version: 1, required: false },
];

let seed = 700;
/** Uploads a photo, processes it with these models, and returns functions to process it again and to read its run. */
const runComponent = async (inference: WorkerModels, component = searchComponent) => {
  const item = await worker.store(await makeTestPhoto({ seed: seed++ }), {}, { components: pipeline });
  const deps = { ...worker.deps, pipeline, inference, log: worker.deps.log.child({}, { level: 'silent' }) };
  const again = () => worker.process(item, { deps, components: { ...components, SEARCH: component } });
  assert.equal((await again()).status, 'READY', 'READY without the results of models');
  const run = async () => {
    const { state, reason, blocked_on } = (await listRuns(deps.db, item.id)).find(
      (each) => each.component === 'SEARCH',
    )!;
    return [state, reason, blocked_on];
  };
  return { again, run };
};

test('blocks a run whose models are missing, and completes it when a mirror provides them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-model-mirror-'));
  t.after(() => rm(folder, { recursive: true }));
  const mirror = join(folder, 'mirror');
  const models = await openModels(t, { mirror }, 100);
  assert.deepEqual(models.listMissingCapabilities(), ['find faces', 'find things']);
  const { again, run } = await runComponent(models);
  assert.deepEqual(await run(), ['BLOCKED', 'NO_MODEL', 'find things']);
  const found = Promise.withResolvers<void>();
  models.watch(async () => found.resolve());
  // The mirror is created only now, so that no run finds the models while others are still being blocked.
  await symlink(testStore.directory, mirror);
  await found.promise;
  assert.deepEqual(models.listMissingCapabilities(), []);
  // SEARCH, and CLASSIFICATION, which needs the same models.
  assert.equal(await unblockRuns(worker.deps.db, [taskCapabilities.labels]), 2);
  await again();
  assert.deepEqual(await run(), ['DONE', null, null]);
});

test('unblocks a run that is recorded as blocked just after its models have arrived', async (t) => {
  const { db } = worker.deps;
  const { release, end } = await holdBlockedRuns(db);
  t.after(end);
  const models = await openModels(t, { mirror: testStore.directory }, 2_000);
  models.watch(async () => {
    await unblockRuns(db, [taskCapabilities.labels]);
    release();
  });
  const { again, run } = await runComponent(models);
  await waitUntil('the run is released', async () => (await run())[0] === 'PENDING');
  await again();
  assert.deepEqual(await run(), ['DONE', null, null]);
});

test('finds models that are copied into the folder by hand', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-put-models-'));
  t.after(() => rm(directory, { recursive: true }));
  const models = await openModels(t, { directory }, 50);
  let times = 0;
  models.watch(async () => void (times += 1));
  for (const name of listTaskModels(testSettings, 'labels')) {
    // The search for missing models may create the folder at the same time.
    await mkdir(join(directory, name), { recursive: true });
    await cp(join(testStore.directory, name), join(directory, name), { recursive: true });
  }
  await waitUntil('things can be found', () => times > 0);
  assert.deepEqual(models.listMissingCapabilities(), ['find faces']);
});

test('blocks the next run that needs models deleted while the worker runs', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-lost-models-'));
  await cp(testStore.directory, directory, { recursive: true });
  const models = await openModels(t, { directory });
  models.watch(async () => undefined);
  await rm(directory, { recursive: true });
  assert.deepEqual(await (await runComponent(models)).run(), ['BLOCKED', 'NO_MODEL', 'find things']);
  await waitUntil('the loss is noticed', () => models.listMissingCapabilities().includes('find things'));
});

test('retries a run after the model process was killed', async (t) => {
  const models = await openModels(t, { directory: testStore.directory });
  const killed: Component = {
    ...searchComponent,
    run: async (deps, context, control) => {
      const running = searchComponent.run(deps, context, control);
      await waitUntil('the models run', () => models.childPid() !== undefined);
      process.kill(models.childPid()!, 'SIGKILL');
      return running;
    },
  };
  assert.deepEqual(await (await runComponent(models, killed)).run(), ['PENDING', 'CRASHED', null]);
});
