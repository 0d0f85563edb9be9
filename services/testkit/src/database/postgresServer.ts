import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@hearth/api/embedded/postgres/postgres.ts';
import { startForeignPostgres } from './foreignPostgres.ts';
import { getFastFolder } from '../run/fastFolder.ts';

/*
 * A program: a temporary PostgreSQL, the embedded one or that in the folder `--programs`. It runs until this program's standard input is closed. It
 * does not sync writes to disk unless it is `--durable`, which only the embedded one supports. The first line of output is the server's URL as
 * superuser.
 * The process that starts it holds the other end of the pipe, which the kernel closes however that process ends. So a crashed or killed test run
 * leaves no server or files behind, except those in the folder `--kept`, which the next server reuses.
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
