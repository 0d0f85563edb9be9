import { writeLook } from '../../libraries/pictureLooks.ts';
import type { RouteName } from '../client.ts';
import type { Drive, World } from './driveWorld.ts';

/** Makes two duplicates. Returns the parameter of their group, and the photos to keep. */
const duplicates = async ({ api, user, newItem }: World) => {
  const ids = [await newItem(), await newItem()];
  // A different picture for each call.
  const angle = Math.random() * 6;
  for (const id of ids) await writeLook(api.deps.db, { id, user_id: user.id }, { bits: 8, angle });
  const { group_id: id } = await api.deps.db
    .selectFrom('picture_hashes')
    .select('group_id')
    .where('media_item_id', '=', ids[0]!)
    .executeTakeFirstOrThrow();
  return { params: { id }, keep: ids };
};

const ofGroup =
  (name: 'getDuplicates' | 'listDuplicateMediaItems' | 'restoreDuplicates'): Drive =>
  async (world) =>
    world.user.call(name, { params: (await duplicates(world)).params });

/** Route fixtures of duplicates. */
export const duplicateDrives: Readonly<Partial<Record<RouteName, Drive>>> = {
  getDuplicates: ofGroup('getDuplicates'),
  listDuplicateMediaItems: ofGroup('listDuplicateMediaItems'),
  resolveDuplicates: async (world) => {
    const { params, keep } = await duplicates(world);
    await world.user.call('resolveDuplicates', { params, body: { keep, revision: 'an earlier one' } });
    await world.user.call('resolveDuplicates', { params, body: { keep } });
  },
  dismissDuplicates: async (world) => {
    const { params } = await duplicates(world);
    await world.user.call('dismissDuplicates', { params, body: { revision: 'an earlier one' } });
    await world.user.call('dismissDuplicates', { params, body: {} });
  },
  restoreDuplicates: ofGroup('restoreDuplicates'),
};
