import type { Log } from '../log.ts';
import { openPostgresQueues } from './postgresQueues.ts';
import type { Queues } from './queue.ts';

/** The to-do lists that the configuration names: on Redis, whose client is loaded only then, where it has an address, else on the database. */
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
