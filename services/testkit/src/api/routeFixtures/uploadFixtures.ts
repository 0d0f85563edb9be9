import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { makeTestBytes } from '../../objects/testBytes.ts';
import { waitUntil } from '../../run/waitUntil.ts';
import { checkResponse } from '../responseChecker.ts';
import { createClient, type Client } from '../client.ts';
import { type RouteFixture, type RouteContext, callWithFullDisk, skipPreparation } from './routeContext.ts';
import { startTestApi, type TestApi } from '../testApi.ts';
import { makeNextPhoto, type TestUser } from '../testUser.ts';
import { startUpload, getUploadStatus, patch, tus, uploadType } from '../uploads.ts';

const MiB = 2 ** 20;

/** Starts an upload of a new file that is stored in several parts. */
const startLargeUpload = async (user: TestUser) => {
  const file = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, 9 * MiB)]);
  return { file, id: await startUpload(user.call, file.length) };
};

const expireUpload = ({ deps: { db } }: TestApi, id: string) =>
  db
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .where('id', '=', id)
    .execute();

const setQuota = ({ api, user: { id } }: RouteContext, quotaBytes: number | null) =>
  api.callAsAdmin('updateUser', { params: { id }, body: { quotaBytes } });

/** Deletes the stored parts of an upload. */
const deleteParts = async ({ deps: { db, objects } }: TestApi, id: string): Promise<void> => {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await objects.abandonParts(originalKey(row.user_id, id), row.write_id!);
};

/** Locks an upload for a minute, like a request in another process. */
const claimUpload = async ({ deps: { db } }: TestApi, id: string): Promise<void> => {
  const claimed_until = new Date(Date.now() + 60_000);
  await db.updateTable('uploads').set({ claim_id: randomUUID(), claimed_until }).where('id', '=', id).execute();
};

/**
 * Requests an upload that another request has locked. The process is shutting down, so it does not wait for the lock.
 */
const callLocked = async (
  { api, user }: RouteContext,
  call: (client: Client, id: string) => Promise<unknown>,
): Promise<void> => {
  const id = await startUpload(user.call, 10);
  await claimUpload(api, id);
  const stopping = await startTestApi({ sharedWith: api });
  stopping.deps.state.isStopping = true;
  await call(createClient(stopping.url, `Bearer ${user.token}`), id);
  await stopping.stop();
};

/**
 * Starts an upload with its content, sends `cutAt` bytes, and calls `interrupt` when the server has recorded the whole
 * parts in them. Then sends the rest.
 */
const createInterrupted = async (
  { api }: RouteContext,
  cutAt: number,
  interrupt: (id: string) => Promise<unknown>,
): Promise<void> => {
  const user = await api.signUp();
  const file = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, 9 * MiB)]);
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
  const responded = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.write(file.subarray(0, cutAt));
  const find = () =>
    api.deps.db
      .selectFrom('uploads')
      .select(['id', 'received_bytes'])
      .where('user_id', '=', user.id)
      .executeTakeFirst();
  let upload = await find();
  // During a request, the server records only whole parts of 8 MiB as received.
  await waitUntil('the server received the parts before the cut', async () => {
    upload = await find();
    return upload !== undefined && upload.received_bytes >= cutAt - 8 * MiB;
  });
  await interrupt(upload!.id);
  sending.end(file.subarray(cutAt));
  const [response] = await responded;
  const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  checkResponse('createUpload', { status: response.statusCode ?? 0, headers, bytes: await buffer(response) });
};

const deleteUpload = (call: Client, id: string, headers: object = tus) =>
  call('deleteUpload', { params: { id }, headers: { ...headers } });

/** Route fixtures of resumable uploads. */
export const uploadFixtures = {
  createUpload: async (context) => {
    const { api, user } = context;
    const begin = (length: number, extraHeaders: object = {}, raw?: string) =>
      user.call('createUpload', {
        headers: { ...tus, 'upload-length': String(length), ...extraHeaders },
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
    await createInterrupted(context, 1_000, (id) => claimUpload(api, id));
    await createInterrupted(context, 8.5 * MiB, (id) => deleteParts(api, id));
    const userAtLimit = await api.signUp();
    const expires_at = new Date(Date.now() + 60_000);
    const rows = Array.from({ length: 1_000 }, () => ({ id: randomUUID(), user_id: userAtLimit.id, expires_at }));
    const sizes = { metadata: '', length_bytes: 10, part_bytes: 10 };
    await api.deps.db
      .insertInto('uploads')
      .values(rows.map((row) => Object.assign(row, sizes)))
      .execute();
    await startUpload(userAtLimit.call, 10).catch(() => undefined);
    await callWithFullDisk(context, (call) => startUpload(call, 10).catch(() => undefined), skipPreparation);
  },
  getUpload: async (context) => {
    const id = await startUpload(context.user.call, 10);
    await getUploadStatus(context.user.call, id);
    await context.user.call('getUpload', { params: { id } });
    await expireUpload(context.api, id);
    await getUploadStatus(context.user.call, id);
    await callLocked(context, getUploadStatus);
    // All bytes arrive after the user's quota is lowered.
    const { file, id: received } = await startLargeUpload(context.user);
    await setQuota(context, 0);
    await patch(context.user.call, received, 0, file);
    await getUploadStatus(context.user.call, received);
    await setQuota(context, null);
  },
  continueUpload: async (context) => {
    const { api, user } = context;
    const { file, id } = await startLargeUpload(user);
    await patch(user.call, id, 0, file.subarray(0, 1_000));
    await patch(user.call, id, 0, file.subarray(0, 1_000));
    await patch(user.call, id, 1_000, Buffer.concat([file, file]));
    await patch(user.call, id, 1_000, file, { 'tus-resumable': '0.1.0' });
    await patch(user.call, id, 1_000, file, { 'content-type': 'image/jpeg' });
    const checksum = `sha1 ${createHash('sha1').update('other').digest('base64')}`;
    await patch(user.call, id, 1_000, file.subarray(1_000, 2_000), { 'upload-checksum': checksum });
    await expireUpload(api, id);
    await patch(user.call, id, 1_000, file.subarray(1_000, 2_000));
    await patch(user.call, await startUpload(user.call, 100_000), 0, makeTestBytes(3, 100_000));
    await callLocked(context, (call, locked) => patch(call, locked, 0, Buffer.from('photo')));
    const photo = await makeNextPhoto();
    const begin = (call: Client) => startUpload(call, photo.length);
    await callWithFullDisk(context, (call, uploadId) => patch(call, uploadId, 0, photo), begin);
  },
  deleteUpload: async (context) => {
    const { api, user } = context;
    await deleteUpload(user.call, await startUpload(user.call, 10));
    const id = await startUpload(user.call, 10);
    await deleteUpload(user.call, id, {});
    await expireUpload(api, id);
    await deleteUpload(user.call, id);
    await callLocked(context, deleteUpload);
  },
} satisfies Readonly<Record<string, RouteFixture>>;
