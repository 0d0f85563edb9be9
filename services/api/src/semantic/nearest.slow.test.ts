import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillManyEmbeddings, makeVectors } from '@hearth/testkit/embeddings/generatedEmbeddings.ts';
import { foreignSignatures, testNearestSearch } from '@hearth/testkit/embeddings/nearestSearchSuite.ts';
import { openPgvectorDatabase } from '@hearth/testkit/embeddings/pgvectorDatabase.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { fillLibrary } from '@hearth/testkit/libraries/fillLibrary.ts';
import { withoutSlowTriggers } from '@hearth/testkit/libraries/fillSearch.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { prepareVectors } from './prepareVectors.ts';
import { signatureCandidates } from './signatureCandidates.ts';
import { vectorCandidates } from './vectorCandidates.ts';

testNearestSearch(
  'by signatures',
  async () => ({ ...(await createMigratedDatabase()), prepare: async () => signatureCandidates }),
  foreignSignatures,
);

const lacking = missingTool('postgres-pgvector');
if (lacking === false)
  testNearestSearch('by vectors', async () => {
    const database = await openPgvectorDatabase();
    assert.deepEqual(await prepareVectors(database.url), { hasVectors: true });
    // Building the index at once takes half as long as inserting each vector.
    await queryOnce(database.url, 'drop index embedding_vectors_nearest');
    return {
      ...database,
      prepare: async () => {
        assert.deepEqual(await prepareVectors(database.url), { hasVectors: true });
        // Uses the index for all users, however few embeddings they have.
        return vectorCandidates({ few: 0 });
      },
    };
  });
else test('by vectors', { skip: lacking }, () => undefined);

test('uses signatures for a user with too small a share of all vectors for the index', { skip: lacking }, async () => {
  const { db, url, drop } = await openPgvectorDatabase();
  assert.deepEqual(await prepareVectors(url), { hasVectors: true });
  const vectors = makeVectors(3, 20);
  const model = 'concept-lite';
  /** Creates another user with about this many visible items. */
  const fill = async (count: number) => {
    const { id: userId } = await buildUser(db);
    await withoutSlowTriggers(url, () => fillLibrary(url, userId, count));
    const rows = await queryOnce<{ id: string }>(
      url,
      `select id from media_items where user_id = $1 and visibility = 'visible'`,
      [userId],
    );
    const ids = rows.map(({ id }) => id);
    await fillManyEmbeddings(url, { userId, model, ids }, vectors);
    return { userId, ids };
  };
  const [some, few] = [await fill(700), await fill(20)];
  // From now on, use of the index fails.
  await queryOnce(url, 'analyze embedding_vectors');
  await queryOnce(url, 'alter table embedding_vectors drop column embedding');
  const listCandidates = (userId: string, limit: number) =>
    vectorCandidates({ few: 0 }).list(db, { userId, model, vector: vectors.next(), limit });
  // With 20 of all 720 vectors, this user has about 1,100 of the 40,000 that the index may scan.
  assert.deepEqual(new Set(await listCandidates(few.userId, 1_000)), new Set(few.ids));
  await assert.rejects(listCandidates(few.userId, 10), /embedding/);
  await assert.rejects(listCandidates(some.userId, 1_000), /embedding/);
  await drop();
});
