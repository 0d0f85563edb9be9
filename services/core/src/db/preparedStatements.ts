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
 * [Note: Prepared statements] Frequent reads, and most statements of each upload and each run, are prepared under a
 * name. Parsing and planning the read of a page takes as long as executing it. Planning is a quarter of the server's
 * work for an upload.
 * - After a few executions on a connection, the server keeps one generic plan for all values. The statements are
 *   written so that this plan is good for all values, and the planner chooses it: constants are literals, and where
 *   needed, values are hidden from the planner (`hideFromPlanner`). `readPlans.slow.test.ts` and `runPlans.test.ts`
 *   check the plans.
 * - If a migration changed the result of a statement, the server rejects the prepared one. Then all names are
 *   forgotten, older connections are closed on release, and the statement or its whole transaction runs again.
 * - Nothing is prepared through a transaction pooler, which may send the next statement to another connection.
 */

/**
 * Page sizes of prepared lists: the default, the maxima, and 60 and 100 of the web app. Each is included plus one as
 * well, because lists read one more row to detect another page.
 */
const preparedLimits: ReadonlySet<number> = new Set(
  [defaultPageSize, 60, 100, maxPageSize, maxGridItems].flatMap((limit) => [limit, limit + 1]),
);

/**
 * Returns a database that prepares its statement under `name`, unless the limit is unusual. Variants of a read, such as
 * one with a filter, need separate names.
 */
export const prepared = (db: Kysely<Tables>, name: string, limit?: number): Kysely<Tables> =>
  limit !== undefined && !preparedLimits.has(limit)
    ? db
    : db.withPlugin({
        transformQuery: ({ node, queryId }) => {
          queryNames.set(queryId, name);
          return node;
        },
        transformResult: async ({ result }) => result,
      });

const queryNames = new WeakMap<QueryId, string>();

/**
 * PostgreSQL dialect for Kysely. Appends the statement's name as a comment, because Kysely's driver passes on only the
 * text.
 */
export class PreparingDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new PreparingCompiler();
  }
}

class PreparingCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = super.compileQuery(node, queryId);
    const name = queryNames.get(queryId);
    return name === undefined ? compiled : { ...compiled, sql: `${compiled.sql} /* ${name} */` };
  }
}

/**
 * Returns a parameter whose value the planner cannot see. Otherwise the server makes a new plan for each request if
 * that plan looks cheaper than the generic one. The server underestimates the cost of planning by far.
 */
export const hideFromPlanner = (
  value: string,
  type: 'uuid' | 'timestamp' | 'date' | 'interval' | 'text' | 'bigint',
): RawBuilder<string> => sql`(select ${value}::${sql.raw(type)})`;

export type Send = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Maximum number of prepared statements per connection. Each takes about 150 kB of the server's memory. */
const maxPrepared = 100;

const statementNames = new Map<string, string>();

/** Number of names given so far. Names are never reused: a connection may still hold an older statement with the name. */
let nameCount = 0;

let generation = 0;

/**
 * Returns the name of a statement on all connections of this process, or undefined above `maxPrepared`. Each limit has
 * its own statement.
 */
const getStatementName = (name: string, text: string): string | undefined => {
  if (!statementNames.has(text) && statementNames.size < maxPrepared)
    statementNames.set(text, `${name}_${(nameCount += 1)}`);
  return statementNames.get(text);
};

/**
 * Sends a statement, prepared if it has a name. Forgets all names if the server rejects a stale one: on a retry the
 * statement gets a new name.
 */
export const sendPrepared = async (
  send: Send,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<pg.QueryResult> => {
  const [, label] = /\/\* (\w+) \*\/$/.exec(text) ?? [];
  const name = label === undefined ? undefined : getStatementName(label, text);
  const plain = { text, values: [...values] };
  try {
    return await send(name === undefined ? plain : { ...plain, name });
  } catch (error) {
    if (isStalePlan(error)) {
      statementNames.clear();
      generation += 1;
    }
    throw error;
  }
};

/** Returns how often all names were forgotten. Connections from before still hold statements under the old names. */
export const getNameGeneration = (): number => generation;

/** Returns true if the server rejected a prepared statement because a migration changed its result. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
