import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';

/*
 * A program: a throwaway PostgreSQL that lives as long as this program's standard input is open. Its first line of output is
 * the server's URL. Whoever starts it holds the other end of the pipe, which the kernel closes however the holder ends; so
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
  const server = await startEmbeddedPostgres({ directory: join(parent, 'data'), password: 'test', isThrowaway: true });
  process.stdout.write(`${server.url()}\n`);
  await inputEnded;
  await server.stop();
} finally {
  await rm(parent, { recursive: true, force: true, maxRetries: 3 });
}
