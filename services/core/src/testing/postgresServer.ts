import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import { startForeignPostgres } from './foreignPostgres.ts';

/*
 * A program: a throwaway PostgreSQL, the embedded one or that of the program folder given as argument, which lives as long as this
 * program's standard input is open. Its first line of output is the server's URL. Whoever starts it holds the other end of the pipe, which the kernel closes however the holder ends; so
 * neither a crashed nor a killed test run leaves a server or its files behind.
 */
const parent = await mkdtemp(join(tmpdir(), 'hearth-test-postgres-'));
const inputEnded = new Promise<void>((resolve) => {
  process.stdin
    .on('close', resolve)
    .on('error', () => resolve())
    .resume();
});
try {
  const directory = join(parent, 'data');
  const [programs] = process.argv.slice(2);
  const server = await (programs === undefined
    ? startEmbeddedPostgres({ directory, password: 'test', isThrowaway: true })
    : startForeignPostgres({ directory, password: 'test', programs }));
  process.stdout.write(`${server.url()}\n`);
  await inputEnded;
  await server.stop();
} finally {
  await rm(parent, { recursive: true, force: true, maxRetries: 3 });
}
