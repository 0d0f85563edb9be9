import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { testBytes } from '../../objects/testBytes.ts';
import { until } from '../../run/until.ts';
import { checkAnswer } from '../answerChecker.ts';
import { createClient, type Client } from '../client.ts';
import { type Drive, type World, driveFull, prepareNothing } from './driveWorld.ts';
import { startTestApi, type TestApi } from '../testApi.ts';
import { nextPhoto, type TestUser } from '../testUser.ts';
import { beginUpload, lookAt, patch, tus, uploadType } from '../uploads.ts';

const MiB = 2 ** 20;

/** Starts an upload of a new file of several parts. */
const beginLarge = async (user: TestUser) => {
  const file = Buffer.concat([await nextPhoto(), testBytes(1, 9 * MiB)]);
  return { file, id: await beginUpload(user.call, file.length) };
};

const expire = ({ deps: { db } }: TestApi, id: string) =>
  db
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .where('id', '=', id)
    .execute();

const setQuota = ({ api, user: { id } }: World, quotaBytes: number | null) =>
  api.callAsAdmin('updateUser', { params: { id }, body: { quotaBytes } });

/** Deletes the stored parts of an upload. */
const loseParts = async ({ deps: { db, objects } }: TestApi, id: string): Promise<void> => {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await objects.abandonParts(originalKey(row.user_id, id), row.write_id!);
};

/** Locks an upload, as a request in another process would, without releasing it. */
const claim = async ({ deps: { db } }: TestApi, id: string): Promise<void> => {
  const claimed_until = new Date(Date.now() + 60_000);
  await db.updateTable('uploads').set({ claim_id: randomUUID(), claimed_until }).where('id', '=', id).execute();
};

/** Requests an upload that is locked by another request, from a process that is shutting down and therefore does not wait for the lock. */
const callLocked = async ({ api, user }: World, call: (by: Client, id: string) => Promise<unknown>): Promise<void> => {
  const id = await beginUpload(user.call, 10);
  await claim(api, id);
  const stopping = await startTestApi({ replicaOf: api });
  stopping.deps.state.isStopping = true;
  await call(createClient(stopping.url, `Bearer ${user.token}`), id);
  await stopping.stop();
};

/** Starts an upload with all its bytes, and calls `disturb` when the server has received `cutAt` of them. */
const createDisturbed = async (
  { api }: World,
  cutAt: number,
  disturb: (id: string) => Promise<unknown>,
): Promise<void> => {
  const user = await api.signUp();
  const file = Buffer.concat([await nextPhoto(), testBytes(1, 9 * MiB)]);
  const sending = request(`${api.url}/v1/uploads`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${user.token}`,
      'content-type': uploadType,
      'content-length': file.length,
      'upload-length': file.length,
      ...tus,
    },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.write(file.subarray(0, cutAt));
  const find = () =>
    api.deps.db
      .selectFrom('uploads')
      .select(['id', 'received_bytes'])
      .where('user_id', '=', user.id)
      .executeTakeFirst();
  let upload = await find();
  // Whole parts of 8 MiB count as received during the request.
  await until('the parts before the cut are received', async () => {
    upload = await find();
    return upload !== undefined && upload.received_bytes >= cutAt - 8 * MiB;
  });
  await disturb(upload!.id);
  sending.end(file.subarray(cutAt));
  const [answer] = await answered;
  const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  checkAnswer('createUpload', { status: answer.statusCode ?? 0, headers, bytes: await buffer(answer) });
};

const remove = (call: Client, id: string, headers: object = tus) =>
  call('deleteUpload', { params: { id }, headers: { ...headers } });

/** Route fixtures of resumable uploads. */
export const uploadDrives = {
  createUpload: async (world) => {
    const { api, user } = world;
    const begin = (length: number, more: object = {}, raw?: string) =>
      user.call('createUpload', {
        headers: { ...tus, 'upload-length': String(length), ...more },
        ...(raw !== undefined && { raw }),
      });
    await begin(10);
    await user.call('createUpload', { headers: tus });
    await begin(0);
    await begin(50 * 2 ** 30 + 1);
    await begin(10, { 'tus-resumable': '0.1.0' });
    await begin(10, { 'content-type': 'image/jpeg' }, 'photo');
    const checksum = `sha1 ${createHash('sha1').update('other').digest('base64')}`;
    await begin(10, { 'content-type': uploadType, 'upload-checksum': checksum }, 'photo');
    await createDisturbed(world, 1_000, (id) => claim(api, id));
    await createDisturbed(world, 8.5 * MiB, (id) => loseParts(api, id));
    const userAtLimit = await api.signUp();
    const expires_at = new Date(Date.now() + 60_000);
    const rows = Array.from({ length: 1_000 }, () => ({ id: randomUUID(), user_id: userAtLimit.id, expires_at }));
    const sizes = { metadata: '', length_bytes: 10, part_bytes: 10 };
    await api.deps.db
      .insertInto('uploads')
      .values(rows.map((row) => Object.assign(row, sizes)))
      .execute();
    await beginUpload(userAtLimit.call, 10).catch(() => undefined);
    await driveFull(world, (call) => beginUpload(call, 10).catch(() => undefined), prepareNothing);
  },
  getUpload: async (world) => {
    const id = await beginUpload(world.user.call, 10);
    await lookAt(world.user.call, id);
    await world.user.call('getUpload', { params: { id } });
    await expire(world.api, id);
    await lookAt(world.user.call, id);
    await callLocked(world, lookAt);
    // All bytes arrive after the quota of the user is lowered.
    const { file, id: received } = await beginLarge(world.user);
    await setQuota(world, 0);
    await patch(world.user.call, received, 0, file);
    await lookAt(world.user.call, received);
    await setQuota(world, null);
  },
  continueUpload: async (world) => {
    const { api, user } = world;
    const { file, id } = await beginLarge(user);
    await patch(user.call, id, 0, file.subarray(0, 1_000));
    await patch(user.call, id, 0, file.subarray(0, 1_000));
    await patch(user.call, id, 1_000, Buffer.concat([file, file]));
    await patch(user.call, id, 1_000, file, { 'tus-resumable': '0.1.0' });
    await patch(user.call, id, 1_000, file, { 'content-type': 'image/jpeg' });
    const checksum = `sha1 ${createHash('sha1').update('other').digest('base64')}`;
    await patch(user.call, id, 1_000, file.subarray(1_000, 2_000), { 'upload-checksum': checksum });
    await expire(api, id);
    await patch(user.call, id, 1_000, file.subarray(1_000, 2_000));
    await patch(user.call, await beginUpload(user.call, 100_000), 0, testBytes(3, 100_000));
    await callLocked(world, (call, locked) => patch(call, locked, 0, Buffer.from('photo')));
    const photo = await nextPhoto();
    const begin = (call: Client) => beginUpload(call, photo.length);
    await driveFull(world, (call, begun) => patch(call, begun, 0, photo), begin);
  },
  deleteUpload: async (world) => {
    const { api, user } = world;
    await remove(user.call, await beginUpload(user.call, 10));
    const id = await beginUpload(user.call, 10);
    await remove(user.call, id, {});
    await expire(api, id);
    await remove(user.call, id);
    await callLocked(world, remove);
  },
} satisfies Readonly<Record<string, Drive>>;
