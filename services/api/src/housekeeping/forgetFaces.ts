import type { Lease } from '@hearth/core/db/connection/leases.ts';
import {
  forgetEmbeddings,
  forgetFaces,
  listItemsToClear,
  type ItemToClear,
} from '@hearth/core/db/explore/forgetFaces.ts';
import { isFaceKey, mediaItemPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../deps/deps.ts';

/** Items cleared in one step. */
const batchSize = 100;

/** Milliseconds after which the next call goes on, so that nobody waits for a large library. */
const mostMs = 3_000;

/**
 * Removes faces, embeddings, pictures of faces and people of users who have people switched off, see [Note: People switched off]: the embeddings at once,
 * the rest of some 15,000 photos in a minute. Two processes that do so at once do no harm.
 */
export const forgetSwitchedOffFaces = async (
  {
    db,
    objects,
    config,
    log,
  }: Pick<Deps, 'db' | 'objects' | 'log'> & { readonly config: Pick<Deps['config'], 'featuresOff'> },
  _lease: Lease,
  signal?: AbortSignal,
): Promise<void> => {
  await forgetEmbeddings(db, config.featuresOff);
  const until = Date.now() + mostMs;
  let cleared = 0;
  for (;;) {
    if (signal?.aborted === true || Date.now() > until) break;
    const items = await listItemsToClear(db, config.featuresOff, batchSize);
    if (items.length === 0) break;
    await objects.remove((await Promise.all(items.map((item) => listFacePictures(objects, item)))).flat());
    for (const [userId, ofUser] of Map.groupBy(items, (item) => item.userId))
      await forgetFaces(
        db,
        userId,
        ofUser.map(({ id }) => id),
      );
    cleared += items.length;
  }
  if (cleared > 0) log.info({ items: cleared }, 'removed what was kept of faces: people are switched off');
};

/** What lies in the store counts, and not what rows name: a worker that was killed has left pictures that none names. */
const listFacePictures = async (objects: ObjectStore, { id, userId }: ItemToClear): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of objects.list(mediaItemPrefix(userId, id))) if (isFaceKey(key)) keys.push(key);
  return keys;
};
