import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ScrubStop } from '@hearth/contract/vocabulary.ts';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { markerKey } from '@hearth/core/objects/marker.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { acquireLease } from '@hearth/api/housekeeping/leases/leases.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { buildMediaItem, buildUser } from '../rows/factories.ts';
import type { Deps } from '@hearth/api/deps/deps.ts';
import { scrub } from '@hearth/api/housekeeping/scrub/scrub.ts';
import type { TestApi } from './testApi.ts';

/** Returns the key of an item's original. */
export const getKey = (item: Pick<MediaItemRow, 'user_id' | 'id'>): string => originalKey(item.user_id, item.id);

/** Asserts that the administrators' API reports a stopped scrub with this reason. */
export const assertStopped = async ({ callAsAdmin }: TestApi, code: ScrubStop, reason: RegExp): Promise<void> => {
  const { status, body } = await callAsAdmin('getOriginals');
  assert.ok(status === 200 && body.stoppedAt !== undefined);
  assert.equal(body.stoppedCode, code);
  assert.match(body.stoppedReason ?? '', reason);
};

/** Opens a store with the library's marker. Tests add items with originals, and start the scrub. */
export const startScrubFixture = async ({ deps }: Pick<TestApi, 'deps'>) => {
  const { db, objects, config } = deps;
  await takeOverStore(objects, db);
  const lease = (await acquireLease(db, 'housekeeping, scrub', randomUUID(), 600_000))!;
  const put = async (key: string, content: string): Promise<void> => {
    await objects.put(key, Readable.from([Buffer.from(content)]));
  };
  let itemCount = 0;
  return {
    put,
    newUser: async (): Promise<string> => (await buildUser(db)).id,
    /** Folder of the objects. Only folder stores have one. */
    folder: join(config.dataDirectory, 'objects'),
    /** Makes an item with a stored original of 64 bytes. By default, each item is a second newer than the previous one. */
    store: async (userId: string, values: Partial<MediaItemRow> = {}): Promise<MediaItemRow> => {
      itemCount += 1;
      const content = randomUUID().padEnd(64, '.');
      const checksum = createHash('sha256').update(content).digest();
      const created_at = new Date(Date.UTC(2025, 0, 1) + itemCount * 1_000);
      const item = await buildMediaItem(db, userId, { checksum, size_bytes: 64, created_at, ...values });
      await put(getKey(item), content);
      return item;
    },
    /** Runs the task once. `changed` replaces some of its dependencies. */
    scrub: async (signal = new AbortController().signal, changed: Partial<Deps> = {}): Promise<void> =>
      scrub({ ...deps, ...changed }, lease, signal),
    /** Moves the start and the checks of the last pass this many days into the past. */
    passDays: async (days: number): Promise<void> => {
      const earlier = new Date(Date.now() - days * 86_400_000);
      await db.updateTable('scrub_state').set({ pass_started_at: earlier }).execute();
      await db.updateTable('original_checks').set({ checked_at: earlier }).execute();
    },
    /** Returns the results of all checks, by item id. */
    listResults: async (): Promise<Record<string, string>> => {
      const rows = await db.selectFrom('original_checks').selectAll().execute();
      return Object.fromEntries(rows.map((row) => [row.media_item_id, row.state]));
    },
    readState: () => db.selectFrom('scrub_state').selectAll().executeTakeFirst(),
    /** Deletes all users with their rows, the state of the scrub, and all objects except the marker of the library. */
    clear: async (): Promise<void> => {
      await db.deleteFrom('users').execute();
      await db.deleteFrom('scrub_state').execute();
      const keys = await Array.fromAsync(objects.list(''), ({ key }) => key);
      await objects.remove(keys.filter((key) => key !== markerKey));
    },
    /** Overwrites a file of the store in place, to simulate bit rot. */
    overwrite: (key: string, content: string | Buffer) =>
      writeFile(join(config.dataDirectory, 'objects', key), content),
    move: rename,
    /** Replaces an original by a symbolic link, which the store does not follow. Returns a function that undoes it. */
    makeUnreadable: async (item: MediaItemRow): Promise<() => Promise<void>> => {
      const path = join(config.dataDirectory, 'objects', originalKey(item.user_id, item.id));
      const movedPath = join(config.dataDirectory, item.id);
      await rename(path, movedPath);
      await symlink(movedPath, path);
      return () => rename(movedPath, path);
    },
  };
};
