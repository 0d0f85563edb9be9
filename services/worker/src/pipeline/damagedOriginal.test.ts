import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { recordOriginalCheck } from '@hearth/core/originals/originalChecks.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { checkOriginalBytes } from '@hearth/core/objects/checkOriginal.ts';
import { mediaItemPrefix, originalKey } from '@hearth/core/objects/keys.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { components } from './components.ts';
import { runItem } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { getOriginalState } from '@hearth/api/features/originals/queries.ts';

const worker = await openTestWorker();
after(async () => worker[Symbol.asyncDispose]());
const { deps } = worker;
const quietDeps = { ...deps, log: deps.log.child({}, { level: 'silent' }) };

const overwriteOriginal = async ({ user_id, id }: MediaItemRow, bytes: Buffer): Promise<unknown> =>
  deps.objects.put(originalKey(user_id, id), Readable.from([bytes], { objectMode: false }));
const listObjects = async ({ user_id, id }: MediaItemRow): Promise<string[]> =>
  Array.fromAsync(deps.objects.list(mediaItemPrefix(user_id, id)), ({ key }) => key);

const damages = {
  'is truncated': { bytes: (photo: Buffer) => photo.subarray(0, -500), state: 'DAMAGED' },
  'is emptied': { bytes: () => Buffer.alloc(0), state: 'DAMAGED' },
  'is replaced by another photo': { bytes: async () => makeTestPhoto({ seed: 99 }), state: 'DAMAGED' },
  'is removed': { bytes: () => undefined, state: 'MISSING' },
} as const;

for (const [index, [description, { bytes, state }]] of Object.entries(damages).entries()) {
  test(`processes a stored original that ${description} only after its repair`, async () => {
    const photo = Buffer.concat([await makeTestPhoto({ seed: index + 1 }), Buffer.from('whole')]);
    const item = await worker.store(photo);
    const damaged = await bytes(photo);
    if (damaged === undefined) await deps.objects.remove([originalKey(item.user_id, item.id)]);
    else await overwriteOriginal(item, damaged);

    await runItem(quietDeps, 'media', components, { mediaItemId: item.id });
    const begun = (await listRuns(deps.db, item.id)).filter(({ attempts }) => attempts > 0);
    assert.ok(begun.length > 0);
    for (const run of begun) assert.deepEqual([run.state, run.reason], ['PENDING', `ORIGINAL_${state}`]);
    assert.deepEqual(await listObjects(item), damaged === undefined ? [] : [originalKey(item.user_id, item.id)]);
    assert.equal(await getOriginalState(deps.db, item.id), state);

    await overwriteOriginal(item, photo);
    await recordOriginalCheck(deps.db, item.id, await checkOriginalBytes(deps.objects, item));
    assert.equal((await worker.process(item)).status, 'READY');
  });
}
