import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { createClient, fetchLink } from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';
import { startUpload, patch } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
after(() => api.stop());
const { db, objects } = api.deps;

type Upload = (user: Pick<TestUser, 'call'>, bytes: Buffer) => Promise<string>;

/** Upload protocols. Each returns the item's id. */
const uploads: Readonly<Record<string, Upload>> = {
  multipart: async ({ call }, bytes) => (await call('uploadMediaItem', fileUpload(bytes))).body.id,
  tus: async ({ call }, bytes) =>
    (await patch(call, await startUpload(call, bytes.length), 0, bytes)).headers.get('hearth-media-item-id')!,
};

/** Uploads to a server process that kills itself before the store call with the number `killAt`. */
const uploadUntilKilled = async (user: TestUser, upload: Upload, bytes: Buffer, killAt: number): Promise<void> => {
  const program = fileURLToPath(import.meta.resolve('@hearth/testkit/api/killedApi.ts'));
  const child = spawn(process.execPath, [program, JSON.stringify(api.deps.config), String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const call = createClient(`http://127.0.0.1:${port.toString().trim()}`, `Bearer ${user.token}`);
  await assert.rejects(upload({ call }, bytes)).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  assert.deepEqual(await exited, [null, 'SIGKILL']);
};

/** Counts the copies of these bytes among a user's objects. */
const countCopies = async (userId: string, bytes: Buffer): Promise<number> => {
  const keys = (await api.listKeys()).filter((key) => key.startsWith(userId));
  const found = await Promise.all(keys.map(async (key) => buffer(await objects.open(key))));
  return found.filter((contents) => contents.equals(bytes)).length;
};

/** Store calls of a repair after the first one, which stores the new bytes. The last one removes the second copy. */
const steps = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

for (const [protocol, upload] of Object.entries(uploads)) {
  for (const killAt of steps) {
    test(`a repair by ${protocol} that is killed before step ${killAt} keeps a good copy, and the next upload completes it`, async () => {
      const user = await api.signUp();
      const bytes = await makeNextPhoto();
      const id = await upload(user, bytes);
      await db.updateTable('component_runs').set({ state: 'DONE' }).where('media_item_id', '=', id).execute();
      const damaged = bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1);
      await objects.put(originalKey(user.id, id), Readable.from([Buffer.from(damaged)], { objectMode: false }));

      await uploadUntilKilled(user, upload, bytes, killAt);
      assert.ok((await countCopies(user.id, bytes)) > 0);

      for (const again of Object.values(uploads)) assert.equal(await again(user, bytes), id);
      const item = (await user.call('getMediaItem', { params: { id } })).body;
      assert.equal(item.original, 'OK');
      assert.deepEqual((await fetchLink(api.url, item.sourceUrl)).bytes, bytes);
      const runs = await db.selectFrom('component_runs').select('state').where('media_item_id', '=', id).execute();
      assert.ok(runs.every(({ state }) => state === 'PENDING'));
    });
  }
}
