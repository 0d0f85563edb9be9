import type { Log } from '../log.ts';
import { openPostgresQueues } from './postgresQueues.ts';
import type { Queues } from './queue.ts';
import { openRedisQueues } from './redisQueues.ts';

/** The to-do lists that the configuration names: on Redis where it has an address, else on the database. */
export const openQueues = (
  config: {
    readonly redisUrl: string | undefined;
    readonly databaseUrl: string;
    readonly databaseDirectUrl: string | undefined;
  },
  log: Log,
): Queues =>
  config.redisUrl === undefined
    ? openPostgresQueues({ connectionString: config.databaseDirectUrl ?? config.databaseUrl, log })
    : openRedisQueues({ url: config.redisUrl, log });
