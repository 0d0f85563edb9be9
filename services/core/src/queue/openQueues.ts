import type { Log } from '../log/log.ts';
import { openPostgresQueues } from './postgresQueues.ts';
import type { Queues } from './queue.ts';

/**
 * The queues that the configuration names: on Redis where it has an address, else on PostgreSQL. The client of Redis is loaded only where
 * it is used.
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
