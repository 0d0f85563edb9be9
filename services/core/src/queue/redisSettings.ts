import type { Log } from '../log/log.ts';

/** Logs a warning where Redis, by its answer to `INFO`, is too old for the queue or may evict its keys. */
export const warnOfRedisSettings = (info: string, log: Log): void => {
  const version = find(info, 'valkey_version') ?? find(info, 'redis_version');
  if (version !== undefined && isOlder(version, minimumVersion))
    log.warn({ version }, `the queue wants Redis ${minimumVersion} or newer`);
  const policy = find(info, 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    log.warn({ policy }, 'Redis may forget jobs when its memory is full: set its maxmemory-policy to noeviction');
};

/** https://docs.bullmq.io/guide/going-to-production */
const minimumVersion = '6.2.0';

const find = (info: string, name: string): string | undefined => new RegExp(`^${name}:(.+?)\\r?$`, 'm').exec(info)?.[1];

const isOlder = (version: string, minimum: string): boolean =>
  version.localeCompare(minimum, 'en', { numeric: true }) < 0;
