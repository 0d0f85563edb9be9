import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@hearth/api/embedded/postgres/postgres.ts';
import { startForeignPostgres } from './foreignPostgres.ts';
import { getFastFolder } from '../run/fastFolder.ts';

/*
 * Program that runs a temporary PostgreSQL: the embedded one, or the one in the folder `--programs`. The server runs until
 * this program's standard input is closed. The first line of output is the superuser's URL. Writes are synced to disk only
 * with `--durable`, which only the embedded server supports.
 * The starting process holds the other end of the input pipe. The kernel closes it however that process ends, so a killed
 * test run leaves no server or files behind. Only files in the folder `--kept` remain, and the next server reuses them.
 */
const {
  programs,
  durable: isDurable,
  kept,
} = parseArgs({
  options: { programs: { type: 'string' }, durable: { type: 'boolean', default: false }, kept: { type: 'string' } },
}).values;
if (kept !== undefined) await mkdir(kept, { recursive: true });
const parent = kept ?? (await mkdtemp(join(isDurable ? tmpdir() : getFastFolder(), 'hearth-test-postgres-')));
const inputEnded = new Promise<void>((resolve) => {
  process.stdin
    .on('close', resolve)
    .on('error', () => resolve())
    .resume();
});
try {
  const directory = join(parent, 'data');
  const { administratorUrl, stop } = await (programs === undefined
    ? startEmbeddedPostgres({ directory, password: 'test', isThrowaway: !isDurable })
    : startForeignPostgres({ directory, password: 'test', programs }));
  process.stdout.write(`${administratorUrl()}\n`);
  await inputEnded;
  await stop();
} finally {
  if (kept === undefined) await rm(parent, { recursive: true, force: true, maxRetries: 3 });
}
