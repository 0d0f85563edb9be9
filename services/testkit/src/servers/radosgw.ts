import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startSupervisedServer, type SupervisedServer } from './supervisedServer.ts';
import type { S3Server } from './s3Server.ts';
import { toolPath } from '../run/tools.ts';

const run = promisify(execFile);

/** A Ceph for one test, with objects in memory. */
export interface TestRadosgw extends S3Server {
  /** Ends all its processes and deletes their folder. */
  stop(): Promise<void>;
}

/** Starts a minimal Ceph: a monitor, a store in memory, and the S3 server, without buckets. */
export const startTestRadosgw = async (): Promise<TestRadosgw> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-test-radosgw-'));
  const [monitorPort, port, cluster] = [await findFreePort(), await findFreePort(), randomUUID()];
  const config = join(directory, 'ceph.conf');
  await writeFile(config, makeConfig(directory, { cluster, monitorPort, port }));
  for (const name of ['mon', 'osd', 'rgw', 'run']) await mkdir(join(directory, name));

  const folder = dirname(toolPath('radosgw'));
  const runTool = async (program: string, ...args: string[]): Promise<void> => {
    await run(join(folder, program), ['-c', config, ...args], { timeout: timeoutMs });
  };
  /** Repeats commands that a starting monitor may reject (`wrong fsid`). */
  const runCommand = async (...args: string[]): Promise<void> => {
    for (let attempts = 1; ; attempts++) {
      try {
        return await runTool('ceph', ...args);
      } catch (error) {
        if (attempts === maxAttempts) throw error;
        await delay(100);
      }
    }
  };
  const servers: SupervisedServer[] = [];
  // The first server that ends removes the shared folder. The others cannot work without it.
  const start = async (program: string, id: string, isReady: () => Promise<boolean>): Promise<void> => {
    const [args, output] = [['-c', config, '-f', ...id.split(' ')], join(directory, `${program}.out`)];
    servers.push(await startSupervisedServer({ program: join(folder, program), args, directory, output, isReady }));
  };

  const endpoint = `http://127.0.0.1:${port}`;
  const [accessKey, secretKey] = ['hearth-test', 'the secret key of tests'];
  const [map, store] = [join(directory, 'monmap'), randomUUID()];
  await runTool('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, map);
  await runTool('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map);
  await start('ceph-mon', '-i a', () => succeeds(runTool('ceph', 'status')));
  await runCommand('osd', 'new', store, '0');
  await runTool('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store);
  await runCommand('osd', 'crush', 'add', 'osd.0', '1.0', 'root=default');
  await start('ceph-osd', '-i 0', () => succeeds(runTool('ceph', 'tell', 'osd.0', 'version')));
  const keys = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
  await runTool('radosgw-admin', 'user', 'create', '--uid=test', '--display-name=test', ...keys);
  await start('radosgw', '-n client.rgw.a', () => succeeds(fetch(endpoint)));
  return {
    endpoint,
    accessKey,
    secretKey,
    stop: async () => {
      for (const server of servers.toReversed()) await server.stop();
    },
  };
};

/** Timeout of a command in ms, and maximum number of attempts. */
const timeoutMs = 60_000;
const maxAttempts = 20;

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const makeConfig = (
  directory: string,
  { cluster, monitorPort, port }: { readonly cluster: string; readonly monitorPort: number; readonly port: number },
): string => `[global]
fsid = ${cluster}
mon_host = v1:127.0.0.1:${monitorPort}
monmap = ${directory}/monmap
public_addr = 127.0.0.1
ms_bind_ipv6 = false
ms_bind_msgr2 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# One copy of everything, in memory.
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
# Commits map changes at once, because a start makes many of them. The default waits a second to batch them.
paxos_propose_interval = 0.01
paxos_min_wait = 0.01
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
osd_class_update_on_start = false
osd_crush_update_on_start = false
memstore_device_bytes = 4294967296
# Frees the memory of removed objects at once instead of after two hours.
rgw_gc_obj_min_wait = 1
rgw_gc_processor_period = 1
rgw_gc_processor_max_time = 1
run_dir = ${directory}/run
pid_file = ${directory}/run/$name.pid
admin_socket = ${directory}/run/$name.asok
# Turns logs off, because logging would take most of the time.
debug_osd = 0/0
debug_ms = 0/0
debug_rgw = 0/0
debug_objclass = 0/0
debug_objecter = 0/0
debug_rados = 0/0
log_file = ${directory}/$name.log
mon_cluster_log_file = ${directory}/cluster.log
mon_data = ${directory}/mon
osd_data = ${directory}/osd
rgw_data = ${directory}/rgw
rgw_frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
`;
