import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignSignatures, nearestSuite } from '../../testing/embeddings/nearestSuite.ts';
import { openPgvectorDatabase } from '../../testing/embeddings/pgvectorDatabase.ts';
import { createMigratedDatabase } from '../../testing/migratedDatabase.ts';
import { queryOnce } from '../../testing/postgres.ts';
import { missingTool } from '../../testing/tools.ts';
import { prepareVectors } from './prepareVectors.ts';
import { signatureCandidates } from './signatureCandidates.ts';
import { vectorCandidates } from './vectorCandidates.ts';

nearestSuite(
  'by signatures',
  async () => ({ ...(await createMigratedDatabase()), prepare: async () => signatureCandidates }),
  foreignSignatures,
);

const lacking = missingTool('postgres-pgvector');
if (lacking === false)
  nearestSuite('by vectors', async () => {
    const database = await openPgvectorDatabase();
    assert.deepEqual(await prepareVectors(database.url), { hasVectors: true });
    // To make it of all vectors takes half as long as to put each into it.
    await queryOnce(database.url, 'drop index embedding_vectors_nearest');
    return {
      ...database,
      prepare: async () => {
        assert.deepEqual(await prepareVectors(database.url), { hasVectors: true });
        // The index is asked for everybody, however few embeddings somebody has.
        return vectorCandidates({ few: 0 });
      },
    };
  });
else test('by vectors', { skip: lacking }, () => undefined);
