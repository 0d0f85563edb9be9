import { writePictureFeatures } from '../../libraries/pictureFeatures.ts';
import type { RouteName } from '../client.ts';
import type { RouteFixture, RouteContext } from './routeContext.ts';

/** Makes two duplicates. Returns the path parameter with their group's id, and the photos to keep. */
const makeDuplicates = async ({ api, user, createItem }: RouteContext) => {
  const ids = [await createItem(), await createItem()];
  // A different picture for each call.
  const angle = Math.random() * 6;
  for (const id of ids) await writePictureFeatures(api.deps.db, { id, user_id: user.id }, { bits: 8, angle });
  const { group_id: id } = await api.deps.db
    .selectFrom('picture_hashes')
    .select('group_id')
    .where('media_item_id', '=', ids[0]!)
    .executeTakeFirstOrThrow();
  return { params: { id }, keep: ids };
};

const callForGroup =
  (name: 'getDuplicates' | 'listDuplicateMediaItems' | 'restoreDuplicates'): RouteFixture =>
  async (context) =>
    context.user.call(name, { params: (await makeDuplicates(context)).params });

/** Route fixtures of duplicates. */
export const duplicateFixtures: Readonly<Partial<Record<RouteName, RouteFixture>>> = {
  getDuplicates: callForGroup('getDuplicates'),
  listDuplicateMediaItems: callForGroup('listDuplicateMediaItems'),
  resolveDuplicates: async (context) => {
    const { params, keep } = await makeDuplicates(context);
    await context.user.call('resolveDuplicates', { params, body: { keep, revision: 'an earlier one' } });
    await context.user.call('resolveDuplicates', { params, body: { keep } });
  },
  dismissDuplicates: async (context) => {
    const { params } = await makeDuplicates(context);
    await context.user.call('dismissDuplicates', { params, body: { revision: 'an earlier one' } });
    await context.user.call('dismissDuplicates', { params, body: {} });
  },
  restoreDuplicates: callForGroup('restoreDuplicates'),
};
