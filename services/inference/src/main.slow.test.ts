import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unusualServers, uselessServers } from '@hearth/testkit/servers/fileServer.ts';
import { listModelNames } from './models/models.ts';
import { startModelMirror } from '@hearth/testkit/models/modelMirror.ts';
import { lacksModels, testStore } from '@hearth/testkit/models/testModels.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-models-'));
});
after(() => rm(folder, { recursive: true }));

const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'main.ts'), ...args],
      { env: { HEARTH_MODEL_DIR: join(folder, 'models'), HEARTH_OFFLINE: '1', ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });

test('lists missing models and fails without a network and a mirror', async () => {
  const { code, output } = await run([], {});
  assert.equal(code, 1);
  for (const name of listModelNames('tinyclip-vit-8m-16')) assert.match(output, new RegExp(`^${name} `, 'm'));
  assert.equal(output.match(/ is missing/g)?.length, 6);
  assert.doesNotMatch(output, /concept-lite/, 'the stand-in is listed only if configured');
  assert.match(output, /node_modules\/@gutenye\/ocr-models\/assets\/ch_PP-OCRv4_det_infer\.onnx/);
});

test('fetches from a mirror, then lists the models', { skip: lacksModels }, async () => {
  const named = { HEARTH_SEARCH_MODEL: 'concept-lite' };
  assert.equal((await run(['--list'], { ...named, HEARTH_MODEL_MIRROR: testStore.directory })).code, 1);
  assert.equal((await run([], { ...named, HEARTH_MODEL_MIRROR: testStore.directory })).code, 0);
  const { code, output } = await run(['--list'], named);
  assert.equal(code, 0);
  assert.match(output, /models\/yunet\/yunet_n_dynamic\.onnx/);
});

for (const [name, respond] of Object.entries(unusualServers))
  test(`downloads from a mirror with ${name}`, async (t) => {
    const mirror = await startModelMirror([respond]);
    t.after(mirror.close);
    const { code, output } = await run([], {
      HEARTH_MODEL_DIR: join(folder, name.replaceAll('/', ' ')),
      HEARTH_MODEL_MIRROR: mirror.url,
      HEARTH_SEARCH_MODEL: 'concept-lite',
    });
    // Without the test data, the mirror has files of the right length with other bytes.
    if (lacksModels === false) assert.equal(code, 0, output);
    else {
      const requested = new Set(mirror.requests.map(({ path }) => path));
      assert.equal(output.match(/has a wrong checksum/g)?.length, requested.size, output);
    }
  });

test('reports the failure of each file of a broken mirror, and exits with 1', async (t) => {
  const servers = Object.values(uselessServers);
  // Two runs, because there are more kinds of failure than files.
  for (const group of [servers.slice(0, 8), servers.slice(8)]) {
    const mirror = await startModelMirror(group.map(({ respond }) => respond));
    t.after(mirror.close);
    const { code, output } = await run([], {
      HEARTH_MODEL_DIR: join(folder, 'broken'),
      HEARTH_MODEL_MIRROR: mirror.url,
    });
    assert.equal(code, 1, output);
    for (const { report } of group) assert.match(output, report);
    assert.match(output, new RegExp(new URL(mirror.url).host));
  }
});
