import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { makeFrozenTime, metadataBombs } from '@hearth/testkit/media/makeBombs.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

// Limits of memory and CPU time stop malicious files. The timeout is long, because the duration depends on the machine.
const worker = await openTestWorker({}, { timeoutMs: 600_000 });
after(async () => worker[Symbol.asyncDispose]());

for (const [name, makeFile] of Object.entries({
  ...metadataBombs,
  'a time that makes its parser hang': makeFrozenTime,
})) {
  test(`processes a picture with ${name} in one attempt, and then the next photo`, async () => {
    const item = await worker.process(await worker.store(makeFile(), { mime_type: 'image/png' }));
    assert.equal(item.status, 'READY');
    assert.deepEqual([item.width_px, item.height_px], [160, 120]);
    const metadata = (await listRuns(worker.deps.db, item.id)).find(({ component }) => component === 'METADATA');
    assert.deepEqual([metadata?.state, metadata?.attempts], ['DONE', 1]);
    const isRead = name.includes('time') || name.includes('comment');
    if (!isRead) assert.deepEqual(metadata?.warnings, ['METADATA_UNREADABLE']);
    const taken = { seed: 7, takenAt: '2022:04:03 12:56:11' };
    const photo = await worker.process(await worker.store(await makeTestPhoto(taken)));
    assert.deepEqual([photo.status, photo.local_time], ['READY', '2022-04-03T12:56:11']);
  });
}
