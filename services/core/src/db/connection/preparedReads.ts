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
 * [Note: Prepared reads] For the server to parse and plan the read of a page takes as long as to read it, so reads that many ask are sent as prepared
 * statements, under the names that are given where they are written: after a few times on a connection the plan is kept for all values. Reads of
 * lists are written so that this one plan is good for all values (`readPlans.test.ts` looks at the plan of every read). Nothing is prepared within a
 * transaction, where a read that was refused could not be sent again, nor through a transaction pooler, which hands the next statement to another
 * connection.
 */

/** The limits that lists are prepared with: those of the web app and of clients that name none, and one more, which tells whether a page follows. */
const usualLimits: ReadonlySet<number> = new Set(
  [defaultPageSize, 60, 100, maxPageSize, maxGridItems].flatMap((limit) => [limit, limit + 1]),
);

/**
 * The database for one read, which is prepared under `name`, unless it has an unusual limit. What tells forms of the read apart, such as a filter, is
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

/** The name of a statement on every connection of this process; none where there are too many. One name has a statement for each limit. */
const nameOfStatement = (name: string, text: string): string | undefined => {
  if (!namesOfTexts.has(text) && namesOfTexts.size < maxPrepared)
    namesOfTexts.set(text, `${name}_${namesOfTexts.size + 1}`);
  return namesOfTexts.get(text);
};

/**
 * Runs a statement outside of a transaction, prepared if it has a name. A migration that has changed what a read answers makes the
 * server refuse what it has prepared before: then it is asked anew, and `onStale` told that this connection is to be closed.
 */
export const sendPrepared = async (
  send: Send,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  onStale: () => void,
): Promise<pg.QueryResult> => {
  const [, given] = /\/\* (\w+) \*\/$/.exec(text) ?? [];
  const name = given === undefined ? undefined : nameOfStatement(given, text);
  const plain = { text, values: [...values] };
  if (name === undefined) return send(plain);
  try {
    return await send({ ...plain, name });
  } catch (error) {
    const isStale = error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
    if (!isStale) throw error;
    onStale();
    return send(plain);
  }
};
