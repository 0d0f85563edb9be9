import pg from 'pg';

/** How often work is begun at most that others keep ending by a deadlock. */
const maxBeginnings = 4;

/**
 * Runs `work`, and anew where PostgreSQL has ended it because two waited for each other: all that it did is undone then, so it must
 * do nothing but ask the database, in one transaction or one statement outside of any.
 */
export const beginAnew = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let beginning = 1; ; beginning++) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || beginning === maxBeginnings) throw error;
    }
  }
};

const isDeadlock = (error: unknown): boolean =>
  (error instanceof pg.DatabaseError && error.code === '40P01') || (error instanceof Error && isDeadlock(error.cause));
