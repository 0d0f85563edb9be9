import type { TestApi } from './testApi.ts';

/** Removes all sign-in attempts and lockouts on these replicas of one API. */
export const clearLoginAttempts = async (...replicas: readonly TestApi[]): Promise<void> => {
  for (const { deps } of replicas) {
    await deps.db.deleteFrom('login_attempts').execute();
    deps.attempts.lockouts.clear();
  }
};

/** Moves all sign-in attempts and lockouts into the past. */
export const advanceTime = async (seconds: number, ...replicas: readonly TestApi[]): Promise<void> => {
  const { db } = replicas[0]!.deps;
  for (const { id, subject, at } of await db.selectFrom('login_attempts').selectAll().execute()) {
    const earlier = new Date(at.getTime() - seconds * 1_000);
    await db
      .updateTable('login_attempts')
      .set({ at: earlier })
      .where('id', '=', id)
      .where('subject', '=', subject)
      .execute();
  }
  for (const { lockouts } of replicas.map(({ deps }) => deps.attempts)) {
    for (const [subject, endsAt] of lockouts) lockouts.set(subject, endsAt - seconds * 1_000);
  }
};
