import { fc } from '../run/fastCheck.ts';
import { insertAlbum, updateAlbum } from '@hearth/api/features/albums/queries.ts';
import { addToCollection, removeFromCollection } from '@hearth/api/lists/collections.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { AlbumRow } from '@hearth/core/db/schema.ts';
import { deleteAlbum } from './deleteAlbum.ts';
import { anyStep, step, type Step } from './libraryHistory.ts';
import { listVisibleItems } from './shownItems.ts';

const anyNumber = fc.nat({ max: 1_000 });

/** Calls `work` with an album chosen by number, if there is any. */
const withAlbum = async (db: Database, number: number, work: (album: AlbumRow) => Promise<unknown>): Promise<void> => {
  const albums = await db.selectFrom('albums').selectAll().orderBy('id').execute();
  if (albums.length > 0) await work(albums[number % albums.length]!);
};

/** Returns every `every`-th item of a user. `from` shifts the first one. */
const pickItems = async (db: Database, userId: string, from: number, every: number): Promise<string[]> => {
  const items = await db
    .selectFrom('media_items')
    .select('id')
    .where('user_id', '=', userId)
    .where('removing_at', 'is', null)
    .orderBy('id')
    .execute();
  return items.filter((_, index) => (index + from) % every === 0).map(({ id }) => id);
};

const anySelection = fc.tuple(anyNumber, fc.nat({ max: 5 }), fc.integer({ min: 1, max: 4 }));

const albumStep: fc.Arbitrary<Step> = fc.oneof(
  step('new album', fc.nat({ max: 1 }), (db, users, user) =>
    insertAlbum(db, users[user]!, { name: 'Album', description: null, isShared: false, isHidden: false }),
  ),
  step('add', anySelection, (db, _, [album, from, every]) =>
    withAlbum(db, album, async ({ id, user_id }) =>
      addToCollection(db, user_id, id, await pickItems(db, user_id, from, every)),
    ),
  ),
  step('remove', anySelection, (db, _, [album, from, every]) =>
    withAlbum(db, album, async ({ id, user_id }) =>
      removeFromCollection(db, user_id, id, await pickItems(db, user_id, from, every)),
    ),
  ),
  step('choose cover', fc.tuple(anyNumber, anyNumber), (db, _, [album, item]) =>
    withAlbum(db, album, async ({ id, user_id }) => {
      const shown = await listVisibleItems(db, id);
      const coverId = shown.length === 0 ? null : shown[item % shown.length]!;
      await updateAlbum(db, user_id, id, { coverId });
    }),
  ),
  step('delete album', anyNumber, (db, _, album) =>
    withAlbum(db, album, ({ id, user_id }) => deleteAlbum(db, user_id, id, 7)),
  ),
);

/** Steps that change the contents of an album: through the album, through its items, and directly in the tables. */
export const anyAlbumStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: albumStep, weight: 2 },
  { arbitrary: anyStep, weight: 3 },
);
