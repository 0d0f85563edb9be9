import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, transaction, type Database } from '@hearth/core/db/database.ts';
import { firstId } from '@hearth/core/db/ids.ts';

/** First version with iterative scans, which continue until enough results pass a filter. */
const minVersion = [0, 8] as const;

/** Vectors derived per transaction, which locks their items for about 0.3 s. */
const batch = 500;

/**
 * `ef_construction` of HNSW. With pgvector's default of 64, the recall of the 20 nearest among 100,000 generated
 * vectors is 0.91. With this value, it is 1.0 among 80,000, and the build takes twice as long (2026-11).
 */
const comparedNeighbours = 200;

/** Poll interval, in ms, while another process prepares the vectors. */
const retryMs = 500;

/** Outcome. `why` is a sentence for the log. */
export type Prepared = { readonly hasVectors: true } | { readonly hasVectors: false; readonly why: string };

/**
 * Creates the vector table, its index and triggers if the server has pgvector. Derives missing vectors from the stored
 * embeddings, including those written while the server had no pgvector. Without pgvector, removes what an earlier
 * server left, because its triggers would fail. If the server cannot even open the index, the table stays unused.
 *
 * Call it at process start with a direct URL, not one of a pooler. Of several processes, one works and the others wait.
 */
export const prepareVectors = async (
  url: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Prepared> => {
  // A single connection, because its session holds the lock. No statement timeout: building the index may take long.
  const db = openDatabase({
    url,
    maxConnections: 1,
    onError: () => undefined,
    statementTimeoutMs: 0,
    isWatched: false,
  });
  try {
    while (!(await tryLock(db))) await sleep(retryMs, undefined, signal && { signal });
    const why = await findObstacle(db);
    if (why !== undefined) {
      await releaseTable(db);
      const whyUndropped = await dropTable(db).then(() => undefined, explainUndroppable);
      return { hasVectors: false, why: whyUndropped === undefined ? why : `${why}; ${whyUndropped}` };
    }
    await createTable(db);
    for (let after: string | undefined = firstId; after !== undefined; after = await deriveBatch(db, after))
      signal?.throwIfAborted();
    await createIndex(db);
    return { hasVectors: true };
  } finally {
    await db.destroy();
  }
};

/** Polls, because a blocked lock statement would be a running statement that `create index concurrently` waits for. */
const tryLock = async (db: Database): Promise<boolean> => {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_lock(hashtext('hearth.embedding_vectors')) as "isLocked"`.execute(db);
  return rows[0]!.isLocked;
};

const findObstacle = async (db: Database): Promise<string | undefined> => {
  const { rows } = await sql<{ available: string; installed: string | null }>`
    select default_version as available, installed_version as installed
    from pg_available_extensions where name = 'vector'`.execute(db);
  const [found] = rows;
  if (found === undefined) return 'this PostgreSQL has no pgvector';
  const { installed, available } = found;
  if (!isNewEnough(installed ?? available))
    return `pgvector ${installed ?? available} is older than ${minVersion.join('.')}`;
  try {
    await sql`create extension if not exists vector`.execute(db);
    // The library may be missing even if the extension is not.
    await sql`select '[1]'::halfvec`.execute(db);
    return undefined;
  } catch (error) {
    return `no permission to use pgvector: ${(error as Error).message}`;
  }
};

const isNewEnough = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1]);
};

/**
 * Drops the triggers and the foreign key, through which changes of items reach the table. A separate transaction, so
 * that it takes effect even if the table cannot be dropped.
 */
const releaseTable = async (db: Database): Promise<void> =>
  transaction(db, async (trx) => {
    for (const [name, table] of Object.entries(triggers))
      await sql`drop trigger if exists ${sql.ref(name)} on ${sql.table(table)}`.execute(trx);
    await sql`
      alter table if exists embedding_vectors drop constraint if exists embedding_vectors_media_item_id_model_fkey`.execute(
      trx,
    );
  });

const dropTable = async (db: Database): Promise<void> => {
  await sql`drop table if exists embedding_vectors`.execute(db);
};

/**
 * Returns a sentence for the log if the table could not be dropped because pgvector's library is missing: dropping an
 * index loads the library.
 * @throws `error` if it has another cause
 */
const explainUndroppable = (error: unknown): string => {
  if (!(error instanceof Error) || !('code' in error) || error.code !== libraryMissing) throw error;
  return `the table embedding_vectors is unused until pgvector is available again: ${error.message}`;
};

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: undefined_file. */
const libraryMissing = '58P01';

const triggers = { media_item_embeddings_vector: 'media_item_embeddings', media_items_vectors: 'media_items' } as const;

/** Creates the table and triggers, which derive a vector of each embedding written from now on. */
const createTable = async (db: Database): Promise<void> => {
  const { rows } = await sql<{ isComplete: boolean }>`
    select (select count(*) from pg_trigger where tgname = any(${Object.keys(triggers)})) = ${Object.keys(triggers).length}
      and to_regclass('embedding_vectors') is not null as "isComplete"`.execute(db);
  if (rows[0]?.isComplete === true) return;
  await releaseTable(db);
  await dropTable(db);
  await transaction(db, async (trx) => {
    // Leaves space in each page, so that a change of visibility adds no index entry (HOT update).
    await sql`
      create table embedding_vectors (
        media_item_id uuid not null,
        model         text not null,
        user_id       uuid not null,
        visibility    text not null,
        embedding     halfvec(512) not null,
        primary key (media_item_id, model),
        foreign key (media_item_id, model) references media_item_embeddings on delete cascade
      ) with (fillfactor = 85)`.execute(trx);
    await sql`
      comment on table embedding_vectors is
        'Derived: the embeddings as pgvector vectors, if the server has pgvector, see [Note: Derived vectors].'`.execute(
      trx,
    );
    await sql`
      create or replace function write_embedding_vector() returns trigger language plpgsql as $$
      begin
        insert into embedding_vectors (media_item_id, model, user_id, visibility, embedding)
        select id, new.model, new.user_id, visibility, embedding_numbers_of(new.embedding)::halfvec
        from media_items where id = new.media_item_id
        on conflict (media_item_id, model) do update set visibility = excluded.visibility, embedding = excluded.embedding;
        return null;
      end $$`.execute(trx);
    await sql`
      create or replace function follow_embedding_vectors() returns trigger language plpgsql as $$
      begin
        update embedding_vectors set visibility = new.visibility where media_item_id = new.id;
        return null;
      end $$`.execute(trx);
    await sql`
      create trigger media_item_embeddings_vector after insert or update on media_item_embeddings
        for each row execute function write_embedding_vector()`.execute(trx);
    await sql`
      create trigger media_items_vectors after update on media_items for each row
        when (old.visibility is distinct from new.visibility) execute function follow_embedding_vectors()`.execute(trx);
  });
};

/**
 * Derives vectors of the next items after `after` that were embedded before the triggers existed. Returns the last id,
 * or undefined at the end. Locks items by id, like all code, to avoid deadlocks.
 */
const deriveBatch = async (db: Database, after: string): Promise<string | undefined> =>
  transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from media_items where id = any(array(
        select media_item_id from media_item_embeddings as kept
        where media_item_id > ${after} and not exists (
          select from embedding_vectors as derived where derived.media_item_id = kept.media_item_id and derived.model = kept.model)
        order by media_item_id limit ${batch})) order by id for no key update`.execute(trx);
    if (rows.length === 0) return undefined;
    await sql`
      insert into embedding_vectors (media_item_id, model, user_id, visibility, embedding)
      select item.id, kept.model, kept.user_id, item.visibility, embedding_numbers_of(kept.embedding)::halfvec
      from media_item_embeddings as kept join media_items as item on item.id = kept.media_item_id
      where item.id = any(${rows.map(({ id }) => id)}::uuid[])
      on conflict do nothing`.execute(trx);
    return rows.at(-1)!.id;
  });

/** Concurrently, because workers keep writing. Rebuilds an index that a killed process left incomplete. */
const createIndex = async (db: Database): Promise<void> => {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('embedding_vectors_nearest')`.execute(
    db,
  );
  if (rows[0]?.isValid === true) return;
  await sql`drop index if exists embedding_vectors_nearest`.execute(db);
  await sql`
    create index concurrently embedding_vectors_nearest on embedding_vectors
      using hnsw (embedding halfvec_ip_ops) with (ef_construction = ${sql.lit(comparedNeighbours)})`.execute(db);
};
