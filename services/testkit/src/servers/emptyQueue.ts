import pg from 'pg';
import { Redis } from 'ioredis';
import { queryOnce } from '../database/postgres.ts';

/** Empties everything that the queue keeps, as a Redis that lost its memory would. @throws where the back end is away */
export const emptyQueue = async (backEnds: { databaseUrl: string; redisUrl?: string | undefined }): Promise<void> => {
  await (backEnds.redisUrl === undefined ? emptyTables(backEnds.databaseUrl) : emptyRedis(backEnds.redisUrl));
};

const emptyTables = async (url: string): Promise<void> => {
  // The tables themselves stay, and what says which version they are of.
  const tables = await queryOnce<{ name: string }>(
    url,
    `select format('bullmq.%I', tablename) as name from pg_tables where schemaname = 'bullmq' and tablename <> 'migration'`,
  );
  const truncate = () => queryOnce(url, `truncate ${tables.map(({ name }) => name).join(', ')}`);
  // The statement locks every table at once, and may meet a consumer that holds one and wants another.
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
