import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { readProcessUsage } from '@hearth/core/process/processUsage.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { makeProgressiveJpeg } from '@hearth/testkit/media/testPhotos.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const limitBytes = 280e6;

test('keeps decoders and exiftool within their shared memory limit, and still decodes a small photo', async () => {
  await using worker = await openTestWorker({ HEARTH_DECODERS_MEMORY_BYTES: String(limitBytes) });
  // Heights of four photos. Each photo takes 220 MB to decode.
  const heights = [6_000, 5_990, 5_980, 5_970];
  const large = await Promise.all(
    heights.map(async (height) => worker.store(await makeProgressiveJpeg(8_000, height))),
  );
  const small = await worker.store(await makeTestPhoto({ seed: 3 }));
  let maxBytes = 0;
  const watch = setInterval(() => {
    const tools = [worker.deps, worker.deps.spareTools].flatMap(({ decoders, exiftool }) => [decoders, exiftool!]);
    const pids = tools.flatMap((each) => each.childPids());
    const sum = pids.reduce((bytes, pid) => bytes + (readProcessUsage(pid)?.residentBytes ?? 0), 0);
    maxBytes = Math.max(maxBytes, sum);
  }, 5);
  const [done] = await Promise.all([worker.process(small), ...large.map((item) => worker.process(item))]);
  clearInterval(watch);
  assert.equal(done.status, 'READY');
  const reasons = await Promise.all(
    large.map(
      async ({ id }) =>
        (await listRuns(worker.deps.db, id)).find(({ component }) => component === 'PREVIEW_THUMBNAIL')!.reason,
    ),
  );
  assert.ok(reasons.includes('OUT_OF_MEMORY'), reasons.join());
  // Without the limit, the four would use 880 MB. With it, each grows by about 40 MB between two checks, more on a busy machine.
  assert.ok(maxBytes < limitBytes + 300e6, `${maxBytes / 1e6} MB`);
});
