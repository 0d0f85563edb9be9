import type { Log } from '../log/log.ts';
import { openPostgresQueues } from './postgresQueues.ts';
import type { Queues } from './queue.ts';

/**
 * Opens the configured queues: on Redis if it has an address, otherwise on PostgreSQL. Imports the Redis client on
 * demand.
 */
export const openQueues = async (
  config: {
    readonly redisUrl: string | undefined;
    readonly databaseUrl: string;
    readonly databaseDirectUrl: string | undefined;
  },
  log: Log,
): Promise<Queues> => {
  if (config.redisUrl === undefined) {
    return openPostgresQueues({ connectionString: config.databaseDirectUrl ?? config.databaseUrl, log });
  }
  const { openRedisQueues } = await import('./redisQueues.ts');
  return openRedisQueues({ url: config.redisUrl, log });
};
