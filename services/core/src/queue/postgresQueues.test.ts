import { createLog } from '../log/log.ts';
import { queryOnce, startTestServer } from '@hearth/testkit/database/postgres.ts';
import { openPostgresQueues } from './postgresQueues.ts';
import { testQueue } from '@hearth/testkit/queue/queueSuite.ts';
import { sendSignal } from '@hearth/testkit/servers/childProcesses.ts';

const timings = { lockMs: 2_000, stalledCheckMs: 1_000 };

testQueue('queues on PostgreSQL', async () => {
  const { url, keeperPid } = await startTestServer();
  const query = <Row extends object>(statement: string): Promise<Row[]> => queryOnce<Row>(url, statement);
  const findServerPid = async (): Promise<number> => {
    const [row] = await query<{ note: string }>(`select pg_read_file('postmaster.pid') as note`);
    return Number(row!.note.split('\n')[0]);
  };
  // If a test fails between kill and restart, the keeper must not stay stopped, otherwise the server's files stay.
  process.on('exit', () => sendSignal(keeperPid, 'SIGCONT'));
  let frozen: number[] = [];

  return {
    open: () => openPostgresQueues({ connectionString: url, log: createLog('test', 'fatal'), timings }),
    openSource: `
      import { openPostgresQueues } from ${JSON.stringify(new URL('postgresQueues.ts', import.meta.url).href)};
      import { createLog } from ${JSON.stringify(new URL('../log/log.ts', import.meta.url).href)};
      const queues = openPostgresQueues({
        connectionString: ${JSON.stringify(url)}, log: createLog('child', 'fatal'), timings: ${JSON.stringify(timings)} });`,
    empty: async () => {
      const tables = await query<{ name: string }>(
        `select quote_ident(tablename) as name from pg_tables where schemaname = 'bullmq' and tablename <> 'migration'`,
      );
      if (tables.length > 0) await query(`truncate ${tables.map(({ name }) => `bullmq.${name}`).join(', ')}`);
    },
    kill: async () => {
      const serverPid = await findServerPid();
      process.kill(keeperPid, 'SIGSTOP');
      process.kill(serverPid, 'SIGKILL');
    },
    restart: async () => {
      process.kill(keeperPid, 'SIGCONT');
      while (
        !(await query('select 1').then(
          () => true,
          () => false,
        ))
      );
    },
    freeze: async () => {
      const processes = await query<{ pid: number }>('select pid from pg_stat_activity');
      frozen = [await findServerPid(), ...processes.map(({ pid }) => pid)];
      for (const pid of frozen) sendSignal(pid, 'SIGSTOP');
    },
    thaw: async () => {
      for (const pid of frozen) sendSignal(pid, 'SIGCONT');
    },
  };
});
