import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { startBackEnds } from '@hearth/testkit/hearth/backEnds.ts';
import { runHearth, makeStartOptions, type Library } from '@hearth/testkit/hearth/hearth.ts';
import { watchProcessTree } from '@hearth/testkit/hearth/processTree.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';

/** A running installation that the benchmark measures. */
export interface BenchTarget extends Library {
  stop(): Promise<unknown>;
}

export interface BenchOptions {
  /** Folder for data and logs. */
  readonly directory: string;
  /** Extra Node arguments for all Hearth processes except the decoders. */
  readonly nodeArguments?: readonly string[];
  /** Extra environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Interval of the scan for new processes, in ms. The CPU of a process that starts and ends in between is counted in its
 * parent.
 */
const intervalMs = 1_000;

/** Start functions by deployment mode. */
export const targets = {
  /** Like `npm start`: one API, one worker, and an embedded PostgreSQL with fsync on. */
  embedded: async ({ directory, nodeArguments, env }: BenchOptions): Promise<BenchTarget> =>
    runHearth({
      directory,
      env: { ...makeStartOptions(nodeArguments), ...env },
      processes: watchProcessTree(intervalMs),
    }),

  /**
   * Two API processes behind a load balancer and three workers with concurrency 1, on PostgreSQL, Redis and an S3
   * server with fsync on.
   */
  cluster: async ({ directory, nodeArguments, env }: BenchOptions): Promise<BenchTarget> => {
    const { databaseUrl, query, redis, s3, variables, stop } = await startBackEnds({ isDurable: true });
    const installation = await startInstallation({
      directory,
      databaseUrl,
      env: {
        HEARTH_WORKER_CONCURRENCY: '1',
        HEARTH_LOG_LEVEL: 'warn',
        ...variables,
        ...makeStartOptions(nodeArguments),
        ...env,
      },
    });
    const { url, admin, apis, workers } = installation;
    const processes = watchProcessTree(intervalMs);
    for (const { pid } of [...apis, ...workers, redis, s3]) processes.adopt(pid);
    processes.adopt(await findPostmaster(databaseUrl));
    return {
      url,
      credentials: await createUser(url, admin),
      query,
      processes,
      stop: async () => {
        for (const { end } of [...apis, ...workers]) await end();
        await Promise.all([installation.stop(), stop()]);
        processes.stopWatching();
      },
    };
  },
} as const;

export type TargetName = keyof typeof targets;

/** Process kinds that Hearth starts itself in embedded mode and that a cluster provides. */
export const backEndKinds: readonly string[] = ['PostgreSQL', 'Redis', 'S3 server'];

const findPostmaster = async (databaseUrl: string): Promise<number> => {
  const [row] = await queryOnce<{ note: string }>(databaseUrl, `select pg_read_file('postmaster.pid') as note`);
  return Number(row?.note.split('\n')[0]);
};
