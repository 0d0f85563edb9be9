import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A statement as sent, with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Name of the prepared statement, see [Note: Prepared statements]. */
  readonly name?: string | undefined;
}

/** Runs `work` and returns all statements that this process sends meanwhile, to any database. */
export const captureStatements = async (work: () => Promise<void>): Promise<Statement[]> => {
  const sent: Statement[] = [];
  const { query } = pg.Client.prototype;
  const capture = function (this: pg.Client, ...args: unknown[]): unknown {
    const [statement, values = []] = args;
    if (typeof statement === 'string') sent.push({ text: statement, values: values as unknown[] });
    else if (isConfig(statement))
      sent.push({ text: statement.text, values: statement.values ?? [], name: statement.name });
    return Reflect.apply(query, this, args);
  };
  pg.Client.prototype.query = capture as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
};

const isConfig = (statement: unknown): statement is pg.QueryConfig =>
  typeof statement === 'object' && statement !== null && 'text' in statement && !('submit' in statement);

/** A connection to analyse how statements are executed. */
export interface Explainer {
  /** Runs any statement. */
  query(text: string): Promise<void>;
  /**
   * Runs a statement with a custom plan and with a generic plan, in a transaction that is rolled back. Returns the tables
   * that the statement, or a function that it calls, scans sequentially.
   */
  findSequentialScans(statement: Statement): Promise<string[]>;
  close(): Promise<void>;
}

export const openExplainer = async (url: string): Promise<Explainer> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    query: async (text) => void (await client.query(text)),
    findSequentialScans: async ({ text, values }) => {
      await client.query('begin');
      try {
        // Subtracts earlier scans of this connection, which PostgreSQL may not have flushed to the statistics yet.
        const before = await countScans(client);
        for (const mode of ['force_custom_plan', 'force_generic_plan']) {
          await client.query(`set local plan_cache_mode = ${mode}`);
          await client.query({ name: randomUUID(), text, values: [...values] });
        }
        const scans = await countScans(client);
        return [...scans].filter(([table, n]) => n > (before.get(table) ?? 0)).map(([table]) => table);
      } finally {
        await client.query('rollback');
      }
    },
    close: () => client.end(),
  };
};

const countScans = async (client: pg.Client): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await client.query<{ relname: string; n: number }>(
    'select relname, seq_scan::int as n from pg_stat_xact_user_tables where seq_scan > 0 order by 1',
  );
  return new Map(rows.map(({ relname, n }) => [relname, n]));
};
