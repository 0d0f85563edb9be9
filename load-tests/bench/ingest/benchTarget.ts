import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { startBackEnds } from '@hearth/testkit/hearth/backEnds.ts';
import { runHearth, startOptions, type Library } from '@hearth/testkit/hearth/hearth.ts';
import { watchProcessTree } from '@hearth/testkit/hearth/processTree.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';

/** An installation whose cost is measured. */
export interface BenchTarget extends Library {
  stop(): Promise<unknown>;
}

/** How an installation is started. */
export interface BenchOptions {
  /** The folder for data and logs. */
  readonly directory: string;
  /** Arguments of Node for all processes of Hearth but the decoders, besides those of `npm start`. */
  readonly nodeArguments?: readonly string[];
  /** Configuration besides. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Time between two looks for new processes; one that has ended meanwhile stands in its parent's account. */
const lookMs = 1_000;

/** The ways to run Hearth. */
export const waysToRun = {
  /** Like `npm start`: one API, one worker, a PostgreSQL of its own that writes through to the disk. */
  embedded: async ({ directory, nodeArguments, env }: BenchOptions): Promise<BenchTarget> =>
    runHearth({
      directory,
      env: { ...startOptions(nodeArguments), ...env },
      processes: watchProcessTree(lookMs),
    }),

  /** Two API processes behind a balancer and three workers with one item in hand each, on PostgreSQL, Redis and an S3 server, which write through to the disk. */
  cluster: async ({ directory, nodeArguments, env }: BenchOptions): Promise<BenchTarget> => {
    const { databaseUrl, query, redis, s3, variables, stop } = await startBackEnds({ isDurable: true });
    const installation = await startInstallation({
      directory,
      databaseUrl,
      env: {
        HEARTH_WORKER_CONCURRENCY: '1',
        HEARTH_LOG_LEVEL: 'warn',
        ...variables,
        ...startOptions(nodeArguments),
        ...env,
      },
    });
    const { url, admin, apis, workers } = installation;
    const processes = watchProcessTree(lookMs);
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

export type WayToRun = keyof typeof waysToRun;

/** The kinds of process that are Hearth's back ends and that a cluster brings itself. */
export const backEndKinds: readonly string[] = ['PostgreSQL', 'Redis', 'S3 server'];

const findPostmaster = async (databaseUrl: string): Promise<number> => {
  const [row] = await queryOnce<{ note: string }>(databaseUrl, `select pg_read_file('postmaster.pid') as note`);
  return Number(row?.note.split('\n')[0]);
};
