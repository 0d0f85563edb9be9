import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';

/**
 * [Note: Prepared reads] For the server to parse and plan the read of a page takes as long as to read it, so reads are sent as prepared
 * statements: after a few times on a connection the plan is kept for all values. Those of lists and of what is searched for are made to be good
 * for all (`readPlans.test.ts` looks how every one is run). Not within transactions, where what went wrong could not be asked again; and not
 * through a transaction pooler, which hands the next statement to another connection.
 */

/**
 * A value of a read that the planner does not see. Of one that it sees it makes a new plan for each request, for ever, where that looks
 * cheaper than a plan for all values by more than it believes planning to cost; for it believes that planning costs little.
 */
export const unseen = (value: string, type: 'uuid' | 'timestamp' | 'date' | 'text'): RawBuilder<string> =>
  sql`(select ${value}::${sql.raw(type)})`;

/** What a connection runs a statement with. */
export type Send = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Statements that are prepared on a connection at most, each with some 150 kB of the server's memory. */
const maxPrepared = 100;

/** Of statements that differ in their limits only, which clients choose, so many. */
const maxLimitsPrepared = 4;

/** Characters of the longest statement that is prepared: a search for many words, each of which is a statement of its own, is rare and long. */
const maxTextLength = 12_000;

const names = new Map<string, string>();
const limitsPrepared = new Map<string, number>();

/** The name under which a statement is prepared, on every connection of this process; none for what is no read, or where there are too many. */
const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (
    known !== undefined ||
    names.size >= maxPrepared ||
    text.length > maxTextLength ||
    !/^\s*(?:select|with)\b/i.test(text)
  )
    return known;
  const shape = text.replaceAll(/\blimit \d+/g, 'limit');
  const prepared = limitsPrepared.get(shape) ?? 0;
  if (prepared >= maxLimitsPrepared) return undefined;
  limitsPrepared.set(shape, prepared + 1);
  const name = `read_${names.size + 1}`;
  names.set(text, name);
  return name;
};

/**
 * Runs a statement outside of a transaction, prepared if it is a read. A migration that has changed what a read answers makes the
 * server refuse what it has prepared before: then it is asked anew, and `onStale` told that this connection is to be closed.
 */
export const sendPrepared = async (
  send: Send,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  onStale: () => void,
): Promise<pg.QueryResult> => {
  const name = nameOf(text);
  const plain = { text, values: [...values] };
  if (name === undefined) return send(plain);
  try {
    return await send({ ...plain, name });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== featureNotSupported || !isStale(error)) throw error;
    onStale();
    return send(plain);
  }
};

const featureNotSupported = '0A000';

const isStale = ({ routine }: pg.DatabaseError): boolean => routine === 'RevalidateCachedQuery';
