import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { isRunning } from '@hearth/core/process/processUsage.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { lacksModels, testSettings, testStore } from '@hearth/testkit/models/testModels.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { openQueryEmbedder, type QueryEmbedderOptions } from './queryEmbedder.ts';

const model = 'concept-lite';

/** Waits long enough for a busy machine, unless a test overrides it. */
const open = (t: TestContext, options: Partial<QueryEmbedderOptions> = {}) => {
  const log = createLog('test', 'silent');
  const embedder = openQueryEmbedder({ settings: testSettings, log, waitMs: 60_000, ...options });
  t.after(() => embedder.close());
  return embedder;
};

suite('with the stand-in', () => {
  test('embeds a query once, whatever its spacing and case, and shares concurrent calls', async (t) => {
    const embedder = open(t);
    const [one, other] = await Promise.all([embedder.embed(model, 'Red  Dog '), embedder.embed(model, 'red dog')]);
    assert.equal(one, other);
    assert.deepEqual([one!.model, one!.vector.length, one!.minSimilarity], [model, 512, 0.2]);
    const pid = embedder.childPid()!;
    process.kill(pid, 'SIGKILL');
    await waitUntil('the process is gone', () => embedder.childPid() === undefined);
    assert.equal(await embedder.embed(model, 'RED DOG'), one);
    assert.equal(embedder.childPid(), undefined, 'a cached query needs no process');
    assert.notEqual((await embedder.embed(model, 'cat'))?.vector, undefined, 'the next query starts another process');
  });

  test('returns undefined after the time limit, and the result to the next call', async (t) => {
    const embedder = open(t, { waitMs: 0 });
    assert.equal(await embedder.embed(model, 'zebra'), undefined);
    await waitUntil('the query is cached', async () => (await embedder.embed(model, 'zebra')) !== undefined);
  });

  test('does not queue more queries than the limit', async (t) => {
    const embedder = open(t);
    const results = await Promise.all(Array.from({ length: 40 }, (_, i) => embedder.embed(model, `query ${i}`)));
    assert.equal(results.filter((result) => result !== undefined).length, 16);
    assert.notEqual(await embedder.embed(model, 'query 39'), undefined);
  });

  test('ends an idle process', async (t) => {
    const embedder = open(t, { idleMs: 20 });
    await embedder.embed(model, 'dog');
    const pid = embedder.childPid();
    if (pid !== undefined) await waitUntil('the process is gone', () => !isRunning(pid));
  });

  test('does not query a missing model until it appears', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'hearth-query-models-'));
    t.after(() => rm(directory, { recursive: true }));
    const embedder = open(t, {
      settings: { ...testSettings, store: { ...testStore, directory } },
      lookMs: 20,
    });
    assert.equal(await embedder.embed(model, 'dog'), undefined);
    // The embedder may create the folder at the same time.
    await mkdir(join(directory, model), { recursive: true });
    await cp(join(testStore.directory, model), join(directory, model), { recursive: true });
    await waitUntil('the query is embedded', async () => (await embedder.embed(model, 'dog')) !== undefined);
  });

  test('embeds a query with the search model of the user', { skip: lacksModels }, async (t) => {
    const api = await startTestApi({ config: { modelDirectory: testStore.directory } });
    t.after(() => api.stop());
    const { id } = await api.signUp();
    assert.equal(await api.deps.embedQuery(api.deps.db, id, 'dog'), undefined);
    const item = await buildMediaItem(api.deps.db, id);
    await writeItemEmbedding(api.deps.db, item, model, new Float32Array(512).fill(512 ** -0.5));
    await waitUntil(
      'the query is embedded',
      async () => (await api.deps.embedQuery(api.deps.db, id, 'dog'))?.model === model,
    );
  });
});

test('embeds nothing without the model, and does not fail', async (t) => {
  const api = await startTestApi();
  t.after(() => api.stop());
  const { id } = await api.signUp();
  const item = await buildMediaItem(api.deps.db, id);
  await writeItemEmbedding(api.deps.db, item, 'tinyclip-vit-8m-16', new Float32Array(512).fill(512 ** -0.5));
  assert.equal(await api.deps.embedQuery(api.deps.db, id, 'dog'), undefined);
});
