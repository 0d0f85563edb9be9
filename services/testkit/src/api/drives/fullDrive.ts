import { createClient, type Client } from '../client.ts';
import type { World } from './driveWorld.ts';
import { startTestApi } from '../testApi.ts';
import { signUp } from '../testUser.ts';

const full = async () => ({ totalBytes: 2 ** 40, freeBytes: 0 });

/**
 * Uploads where the disk has no room, and where a user's quota has none any more. `prepare` is called as that user before, and its answer handed
 * to `upload`.
 */
export const driveFull = async <Prepared>(
  { api }: World,
  upload: (call: Client, prepared: Prepared) => Promise<unknown>,
  prepare: (call: Client) => Promise<Prepared>,
): Promise<void> => {
  const fullApi = await startTestApi({ replicaOf: api, readDisk: full });
  const user = await signUp(api.url, api.callAsAdmin);
  await upload(createClient(fullApi.url, `Bearer ${user.token}`), await prepare(user.call));
  await fullApi.stop();
  const prepared = await prepare(user.call);
  await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { quotaBytes: 0 } });
  await upload(user.call, prepared);
};

/** Nothing has to be there before. */
export const prepareNothing = async (): Promise<void> => undefined;
