import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { deleteSession, findSessionUser, insertSession, refreshSession } from './sessions.ts';
import { updateUser } from './users.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 10 });
after(drop);

const day = 24 * 3_600;

/** Expected state of a session. */
interface Model {
  readonly id: string;
  readonly user: User;
  isEnded: boolean;
  secondsSinceRefresh: number;
  /** All tokens returned so far, oldest first. */
  readonly tokens: string[];
}

interface User {
  readonly id: string;
  passwordHash: string;
}

/** A random step. Numbers select among the existing users, sessions and tokens. */
type Step =
  | { readonly do: 'log in'; readonly user: number }
  | { readonly do: 'change password'; readonly user: number }
  | { readonly do: 'log out'; readonly session: number }
  /** Uses the token of this age (0 is the newest) this many times at once. */
  | { readonly do: 'refresh'; readonly session: number; readonly age: number; readonly times: number }
  | { readonly do: 'wait'; readonly seconds: number };

const index = fc.nat({ max: 5 });
const age = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.constant(1) }, index);
const times = fc.integer({ min: 1, max: 4 });
// Twice 5 s is just beyond the grace period, once is well within it.
const seconds = fc.constantFrom(5, 3_600, 29 * day);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('log in' as const), user: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change password' as const), user: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('log out' as const), session: index }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('refresh' as const), session: index, age, times }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds }) },
);

const isActive = (model: Model): boolean => !model.isEnded && model.secondsSinceRefresh < 30 * day;

const logIn = async (user: User): Promise<Model> => {
  const session = await insertSession(db, { userId: user.id, passwordHash: user.passwordHash });
  assert.ok(session !== undefined);
  return { id: session.sessionId, user, isEnded: false, secondsSinceRefresh: 0, tokens: [session.refreshToken] };
};

const refresh = async (model: Model, age: number, times: number): Promise<void> => {
  const position = Math.max(0, model.tokens.length - 1 - age);
  const token = model.tokens[position]!;
  const results = await Promise.all(Array.from({ length: times }, () => refreshSession(db, token)));
  const texts = results.map((result) => (typeof result === 'object' ? result.refreshToken : result));
  const successors = model.tokens.slice(position + 1);
  const successes = texts.filter((text) => text !== undefined);
  if (!isActive(model)) {
    assert.deepEqual(successes, []);
  } else if (successors.length === 0) {
    const [text, ...different] = new Set(texts);
    assert.deepEqual(different, []);
    assert.ok(text !== undefined && text !== 'REUSED' && !model.tokens.includes(text));
    model.tokens.push(text);
    model.secondsSinceRefresh = 0;
  } else if (successors.length === 1 && model.secondsSinceRefresh < 10) {
    assert.deepEqual(
      texts,
      Array.from({ length: times }, () => successors[0]),
    );
  } else {
    assert.deepEqual(successes, ['REUSED'], 'reported once, to the first request');
    model.isEnded = true;
  }
};

const advanceClock = async (seconds: number): Promise<void> => {
  const by = sql`${seconds} * interval '1 second'`;
  await sql`update sessions set refreshed_at = refreshed_at - ${by}, expires_at = expires_at - ${by}`.execute(db);
};

const choose = <Value>(values: readonly Value[], index: number): Value => values[index % values.length]!;

const runStep = async (step: Step, users: readonly User[], models: Model[]): Promise<void> => {
  switch (step.do) {
    case 'log in':
      models.push(await logIn(choose(users, step.user)));
      return;
    case 'change password': {
      const user = choose(users, step.user);
      user.passwordHash += '!';
      await updateUser(db, user.id, { passwordHash: user.passwordHash });
      for (const model of models) model.isEnded ||= model.user === user;
      return;
    }
    case 'log out': {
      const model = choose(models, step.session);
      await deleteSession(db, model.id);
      model.isEnded = true;
      return;
    }
    case 'refresh':
      return refresh(choose(models, step.session), step.age, step.times);
    case 'wait':
      await advanceClock(step.seconds);
      for (const model of models) model.secondsSinceRefresh += step.seconds;
  }
};

test('keeps each session exactly as long as the model, for any sequence of logins, refreshes, password changes and delays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
      const began = Date.now();
      const users = await Promise.all(
        [0, 1].map(async () => ({ id: (await buildUser(db, { passwordHash: '' })).id, passwordHash: '' })),
      );
      const models = [await logIn(users[0]!)];
      for (const step of steps) {
        // If the machine stalls for seconds, the model's clock is wrong.
        fc.pre(Date.now() - began < 4_000);
        await runStep(step, users, models);
        for (const model of models) {
          assert.equal((await findSessionUser(db, model.id)) !== undefined, isActive(model));
        }
      }
    }),
    { numRuns: runs(60) },
  );
});
