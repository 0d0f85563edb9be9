import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { createFuzzUser, type FuzzUser } from './fuzzUser.ts';
import type { FuzzedInstallation } from './installation.ts';
import { runSchemathesis, type RequestReport } from './schemathesis.ts';
import { checkUntouchedPhoto, waitUntilProcessed } from './waitUntilProcessed.ts';

export interface RequestFuzz {
  readonly seed: number;
  readonly examples: number;
}

/**
 * Calls every operation with valid and invalid requests, first as a user, then as the administrator. Checks that the
 * user changed nothing of another user, and that both processes still run and process a valid photo.
 * @throws Error with the problem, the seed and the last log lines
 */
export const fuzzRequests = async (
  installation: FuzzedInstallation,
  { seed, examples }: RequestFuzz,
): Promise<RequestReport> => {
  // Otherwise the API refuses this address for a while after wrong credentials.
  await installation.query(disableAttemptCounter);
  try {
    const [{ user, ids }, { user: otherUser }] = await Promise.all([makeUser(installation), makeUser(installation)]);
    const rows = await readRows(installation, otherUser);
    const run = async (role: string, ...filter: readonly string[]): Promise<RequestReport> => {
      const directory = join(installation.directory, role);
      await mkdir(directory);
      const { url, admin, findDeadReplica } = installation;
      const report = await runSchemathesis({
        url,
        admin,
        user,
        ids: role === 'user' ? ids : [user.id],
        seed,
        examples,
        directory,
        filter,
      });
      assert.equal(findDeadReplica(), undefined);
      return report;
    };
    const asUser = await run('user', '--exclude-tag=users');
    assert.deepEqual(await readRows(installation, otherUser), rows, 'a user changed data of another user');
    // Last, because the administrator may change and delete every user.
    const asAdmin = await run('administrator', '--include-tag=users');
    await checkUntouchedPhoto(installation, await createFuzzUser(installation));
    return addCounts(asUser, asAdmin);
  } catch (error) {
    const lines = await installation.lastLines();
    throw new Error([(error as Error).message, ...lines, `seed ${seed}`].join('\n'), { cause: error });
  }
};

const disableAttemptCounter = `
create function skip_row() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger count_no_attempts before insert on login_attempts for each row execute function skip_row();
`;

/** Creates a user with processed photos and a shared album. Returns the user and the ids. */
const makeUser = async (installation: FuzzedInstallation): Promise<{ user: FuzzUser; ids: readonly string[] }> => {
  const user = await createFuzzUser(installation);
  const size = { width: 96, height: 64 };
  const photos = await Promise.all([1, 2].map((seed) => makeTestPhoto({ ...size, seed })));
  const ids = await Promise.all(photos.map((photo) => user.upload(photo)));
  const { id, shareId } = await user.createAlbum({ name: 'Summer', shared: true, coverMediaItemId: ids[0] });
  await waitUntilProcessed(installation, user, ids);
  return { user, ids: [...ids, id, shareId] };
};

/** Returns the stored account of a user with its items and albums. */
const readRows = ({ query }: FuzzedInstallation, { id }: FuzzUser): Promise<readonly unknown[]> =>
  query(
    `select to_jsonb(users) as account,
      (select jsonb_agg(to_jsonb(item) order by id) from media_items item where user_id = $1) as items,
      (select jsonb_agg(to_jsonb(album) order by id) from albums album where user_id = $1) as albums
    from users where id = $1`,
    [id],
  );

const addCounts = (a: RequestReport, b: RequestReport): RequestReport => {
  const statuses = new Map(a.statuses);
  for (const [status, count] of b.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return { operations: a.operations + b.operations, cases: a.cases + b.cases, statuses };
};
