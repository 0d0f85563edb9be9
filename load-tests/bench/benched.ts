import { startInstallation } from '@hearth/core/testing/installation.ts';
import type { Query } from '@hearth/core/testing/actsLog.ts';
import { startTestS3 } from '@hearth/core/testing/s3Server.ts';
import { queryOnce, startTestServer } from '@hearth/core/testing/postgres.ts';
import { startTestRedis } from '@hearth/core/testing/redis.ts';
import { createUser } from '../faults/createUser.ts';
import { queryOf } from '../faults/database.ts';
import { findCredentials, findFreePorts, startHearth, type Credentials } from '../faults/hearth.ts';
import { watchFamily, type ProcessFamily } from '../faults/processes.ts';
import { startOptions } from './startOptions.ts';

/** An installation whose cost is measured. */
export interface Benched {
  readonly url: string;
  readonly credentials: Credentials;
  readonly query: Query;
  /** Every process that is counted, and all that come from them. */
  readonly family: ProcessFamily;
  stop(): Promise<void>;
}

/** What a way to run is started with. */
export interface BenchOptions {
  /** Takes data and logs. */
  readonly directory: string;
  /** Arguments of Node for all processes of Hearth but the decoders, besides those of `npm start`. */
  readonly nodeArguments?: readonly string[];
}

/** Time between two looks for new processes; one that has ended meanwhile stands in its parent's account. */
const lookMs = 1_000;

/** The ways to run Hearth. */
export const waysToRun = {
  /** As `npm start` runs it: one API, one worker, a PostgreSQL of its own that writes through to the disk. */
  embedded: async (options: BenchOptions): Promise<Benched> => {
    const { directory } = options;
    const family = watchFamily(lookMs);
    const hearth = startHearth({
      directory,
      ports: await findFreePorts(),
      env: await startOptions(options.nodeArguments),
    });
    family.adopt(hearth.pid);
    await hearth.running;
    return {
      url: hearth.url,
      credentials: findCredentials(hearth.output())!,
      query: queryOf(directory),
      family,
      stop: async () => {
        process.kill(hearth.pid, 'SIGTERM');
        await hearth.ended;
        family.stopWatching();
      },
    };
  },

  /** Two API processes behind a balancer and three workers with one item in hand each, on PostgreSQL, Redis and an S3 server, which write through to the disk. */
  cluster: async (options: BenchOptions): Promise<Benched> => {
    const { directory } = options;
    const [{ url: databaseUrl }, redis, s3] = await Promise.all([
      startTestServer({ isDurable: true }),
      startTestRedis(),
      startTestS3(),
    ]);
    const installation = await startInstallation({
      directory,
      databaseUrl,
      env: {
        HEARTH_REDIS_URL: redis.url,
        HEARTH_S3_ENDPOINT: s3.endpoint,
        HEARTH_S3_BUCKET: 'bench',
        HEARTH_S3_ACCESS_KEY: s3.accessKey,
        HEARTH_S3_SECRET_KEY: s3.secretKey,
        HEARTH_WORKER_CONCURRENCY: '1',
        HEARTH_LOG_LEVEL: 'warn',
        ...(await startOptions(options.nodeArguments)),
      },
    });
    const family = watchFamily(lookMs);
    const postmaster = await findPostmaster(databaseUrl);
    for (const pid of [...installation.apis, ...installation.workers, redis, s3].map(({ pid }) => pid)) {
      family.adopt(pid);
    }
    family.adopt(postmaster);
    return {
      url: installation.url,
      credentials: await createUser(installation.url, installation.admin),
      query: (statement, values) => queryOnce(databaseUrl, statement, values),
      family,
      stop: async () => {
        for (const { end } of [...installation.apis, ...installation.workers]) await end();
        await Promise.all([installation.stop(), redis.stop(), s3.stop()]);
        family.stopWatching();
      },
    };
  },
} as const;

export type WayToRun = keyof typeof waysToRun;

/** The kinds of process that are Hearth's back ends and that a cluster brings itself. */
export const backEndKinds: readonly string[] = ['PostgreSQL', 'Redis', 'S3 server'];

const findPostmaster = async (databaseUrl: string): Promise<number> => {
  const [row] = await queryOnce<{ note: string }>(databaseUrl, `select pg_read_file('postmaster.pid') as note`);
  return Number(row?.note.split('\n')[0]);
};
