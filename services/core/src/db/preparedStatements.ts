import {
  PostgresDialect,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type Kysely,
  type QueryCompiler,
  type QueryId,
  type RawBuilder,
  type RootOperationNode,
} from 'kysely';
import pg from 'pg';
import { defaultPageSize, maxGridItems, maxPageSize } from '@hearth/contract/limits.ts';
import type { Tables } from './schema.ts';

/**
 * [Note: Prepared statements] For the server to parse and plan the read of a page takes as long as to read it, and a quarter of its work for an upload
 * is planning. So reads that many ask, and most of what is sent for each upload and each run, are prepared statements, under the names that are given
 * where they are written: after a few times on a connection the plan is kept for all values. They are written so that this one plan is good for all
 * values, and the planner finds that: what is the same in each process is a literal, and what differs is one value, not an array of one
 * (`readPlans.slow.test.ts` and `runPlans.test.ts` look at the plans). A migration that has changed what a statement answers makes the server refuse what
 * it has prepared before: then all names are forgotten, connections from before are closed when they are given back, and the statement, or its whole
 * transaction, runs again. Nothing is prepared through a transaction pooler, which hands the next statement to another connection.
 */

/** The limits that lists are prepared with: those of the web app and of clients that name none, and one more, which tells whether a page follows. */
const usualLimits: ReadonlySet<number> = new Set(
  [defaultPageSize, 60, 100, maxPageSize, maxGridItems].flatMap((limit) => [limit, limit + 1]),
);

/**
 * The database for one statement, which is prepared under `name`, unless it has an unusual limit. What tells forms of a read apart, such as a filter, is
 * part of the name.
 */
export const prepared = (db: Kysely<Tables>, name: string, limit?: number): Kysely<Tables> =>
  limit !== undefined && !usualLimits.has(limit)
    ? db
    : db.withPlugin({
        transformQuery: ({ node, queryId }) => {
          namesOfQueries.set(queryId, name);
          return node;
        },
        transformResult: async ({ result }) => result,
      });

const namesOfQueries = new WeakMap<QueryId, string>();

/** PostgreSQL for Kysely. A name stands behind its query as a comment: the text is all that Kysely's driver hands on. */
export class PreparingDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new PreparingCompiler();
  }
}

class PreparingCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = super.compileQuery(node, queryId);
    const name = namesOfQueries.get(queryId);
    return name === undefined ? compiled : { ...compiled, sql: `${compiled.sql} /* ${name} */` };
  }
}

/**
 * A value of a read that is hidden from the planner. For a value that the planner sees, it goes on making a new plan for each request where that plan
 * looks cheaper than the one for all values by more than planning costs; and it estimates the cost of planning far too low.
 */
export const hiddenFromPlanner = (
  value: string,
  type: 'uuid' | 'timestamp' | 'date' | 'interval' | 'text' | 'bigint',
): RawBuilder<string> => sql`(select ${value}::${sql.raw(type)})`;

export type Send = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Statements that are prepared on a connection at most, each with some 150 kB of the server's memory. */
const maxPrepared = 100;

const namesOfTexts = new Map<string, string>();

/** How many names were given. None is given twice, since connections may still know it for another text. */
let named = 0;

let generation = 0;

/** The name of a statement on every connection of this process; none where there are too many. One name has a statement for each limit. */
const nameOfStatement = (name: string, text: string): string | undefined => {
  if (!namesOfTexts.has(text) && namesOfTexts.size < maxPrepared) namesOfTexts.set(text, `${name}_${(named += 1)}`);
  return namesOfTexts.get(text);
};

/** Sends a statement, prepared if it has a name. Where the server refuses what it had prepared, all names are forgotten: sent again, the statement gets a new one. */
export const sendPrepared = async (
  send: Send,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<pg.QueryResult> => {
  const [, given] = /\/\* (\w+) \*\/$/.exec(text) ?? [];
  const name = given === undefined ? undefined : nameOfStatement(given, text);
  const plain = { text, values: [...values] };
  try {
    return await send(name === undefined ? plain : { ...plain, name });
  } catch (error) {
    if (isStalePlan(error)) {
      namesOfTexts.clear();
      generation += 1;
    }
    throw error;
  }
};

/** How often all names were forgotten. A connection from before still holds what was prepared under them. */
export const nameGeneration = (): number => generation;

/** Whether the server has refused a prepared statement, since a migration has changed what it answers. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
