import pg from 'pg';
import { Redis } from 'ioredis';
import { queryOnce } from '../database/postgres.ts';

/**
 * Deletes all data of the queue, like a Redis that lost its memory.
 * @throws Error if the back end is unavailable
 */
export const emptyQueue = async (backEnds: { databaseUrl: string; redisUrl?: string | undefined }): Promise<void> => {
  await (backEnds.redisUrl === undefined ? emptyTables(backEnds.databaseUrl) : emptyRedis(backEnds.redisUrl));
};

const emptyTables = async (url: string): Promise<void> => {
  // Keeps the tables, and the table that stores their version.
  const tables = await queryOnce<{ name: string }>(
    url,
    `select format('bullmq.%I', tablename) as name from pg_tables where schemaname = 'bullmq' and tablename <> 'migration'`,
  );
  const truncate = () => queryOnce(url, `truncate ${tables.map(({ name }) => name).join(', ')}`);
  // Retries after deadlocks: the statement locks all tables, while a consumer may hold one and wait for another.
  for (let isDone = false; !isDone;) {
    isDone = await truncate().then(
      () => true,
      (error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code === '40P01') return false;
        throw error;
      },
    );
  }
};

const emptyRedis = async (url: string): Promise<void> => {
  const redis = new Redis(url, { retryStrategy: null, connectTimeout: 2_000 });
  redis.on('error', () => undefined);
  try {
    await redis.flushdb();
  } finally {
    redis.disconnect();
  }
};
