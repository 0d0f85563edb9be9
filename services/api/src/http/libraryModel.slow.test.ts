import { after, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import { deleteEmptyCounts, rollUpCounts } from '../lists/counts.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { deleteEmptyMapCells, rollUpMapCounts } from '../features/places/mapCounts.ts';
import { deleteUnusedPeople } from '../features/people/queries.ts';
import { expectCountsRight } from '@hearth/testkit/rows/expectCountsRight.ts';
import { albumSteps } from '@hearth/testkit/api/model/albumSteps.ts';
import { exploredSteps } from '@hearth/testkit/api/model/exploredSteps.ts';
import { listSteps } from '@hearth/testkit/api/model/listSteps.ts';
import type { ModelContext } from '@hearth/testkit/api/model/expectations.ts';
import { itemSteps } from '@hearth/testkit/api/model/itemSteps.ts';
import { jobSteps } from '@hearth/testkit/api/model/jobSteps.ts';
import { emptyLibrary } from '@hearth/testkit/api/model/library.ts';
import { removePeopleWithoutFaces as forgetInModel } from '@hearth/testkit/api/model/people.ts';
import { peopleSteps } from '@hearth/testkit/api/model/peopleSteps.ts';
import { correctionSteps } from '@hearth/testkit/api/model/correctionSteps.ts';
import { searchSteps } from '@hearth/testkit/api/model/searchSteps.ts';
import { sharingSteps } from '@hearth/testkit/api/model/sharingSteps.ts';
import { step, type Step } from '@hearth/testkit/api/model/steps.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

/*
 * Random sequences of calls by three users. Compares every response with a model of lists and filters. Rolls up counts
 * at random moments. When run directly (npm run drill:model), takes the number of sequences, the calls per sequence,
 * and the seed of a run to repeat.
 */
const [numRuns = 6, calls = 150, seed = testSeed] = process.argv.slice(2).map(Number);

const api = await startTestApi();
after(() => api.stop());

const rollUp = step(
  'roll up',
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()),
  async (_, [limit, isTidied], { actors }) => {
    const { db } = api.deps;
    await transaction(db, (trx) => rollUpCounts(trx, limit));
    await transaction(db, (trx) => rollUpMapCounts(trx, limit));
    if (!isTidied) return;
    await deleteEmptyCounts(db);
    await deleteEmptyMapCells(db);
    await deleteUnusedPeople(db);
    for (const { library } of actors) forgetInModel(library);
  },
);

const switchFeature = step(
  'switch',
  fc.tuple(fc.constantFrom(...featureNames), fc.boolean()),
  async (actor, [name, isOn]) => {
    const { user, library } = actor;
    await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { features: { [name]: isOn } } });
    if (isOn) library.off.delete(name);
    else library.off.add(name);
  },
);

const switchAllOn = step('switch all on', fc.constant(undefined), async ({ user, library }) => {
  const features = Object.fromEntries(featureNames.map((name) => [name, true]));
  await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { features } });
  library.off.clear();
});

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  ...itemSteps,
  ...listSteps,
  ...searchSteps,
  ...albumSteps,
  ...exploredSteps,
  ...peopleSteps,
  ...correctionSteps,
  ...sharingSteps,
  ...jobSteps,
  { weight: 4, arbitrary: rollUp },
  { weight: 1, arbitrary: switchFeature },
  { weight: 1, arbitrary: switchAllOn },
);

interface Failure {
  readonly index: number;
  readonly error: unknown;
}

/** Runs steps for three new users. Returns the failing step and its error, if any. */
const findFailure = async (steps: readonly Step[]): Promise<Failure | undefined> => {
  const users = await Promise.all([api.signUp(), api.signUp(), api.signUp()]);
  const scene: ModelContext = { api, actors: users.map((user) => ({ user, library: emptyLibrary() })), calls: 0 };
  for (const [index, { run }] of steps.entries()) {
    scene.calls += 1;
    try {
      await run(scene);
    } catch (error) {
      return { index, error };
    }
  }
  return undefined;
};

/** Removes steps that a failure does not need: first large chunks, last single steps. */
const shorten = async (failing: readonly Step[]): Promise<readonly Step[]> => {
  let steps = failing;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length;) {
      const fewer = steps.toSpliced(from, size);
      const failure = await findFailure(fewer);
      if (failure === undefined) from += size;
      else steps = fewer.slice(0, failure.index + 1);
    }
  }
  return steps;
};

test(`responds like the model in ${numRuns} sequences of ${calls} calls (seed ${seed})`, async (t) => {
  const sequences = fc.array(anyStep, { minLength: calls, maxLength: calls, size: 'max' });
  for (const [run, steps] of fc.sample(sequences, { seed, numRuns }).entries()) {
    const failure = await findFailure(steps);
    if (failure !== undefined) {
      const short = await shorten(steps.slice(0, failure.index + 1));
      t.diagnostic(`sequence ${run} fails by these ${short.length} steps:\n${short.map(String).join('\n')}`);
      throw (await findFailure(short))?.error ?? failure.error;
    }
    if (numRuns > 10) t.diagnostic(`sequence ${run} is right`);
  }
  await expectCountsRight(api.deps.db);
});
