import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase, queryOnce, startTestServer } from './postgres.ts';
import { missingTool, toolPath, type ToolName } from '../run/tools.ts';
import { waitUntil } from '../run/waitUntil.ts';

test('isolates two test databases', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await queryOnce(first.url, 'create table only_here ()');
  await assert.rejects(queryOnce(second.url, 'select from only_here'), /does not exist/);
  await Promise.all([first.drop(), second.drop()]);
});

test('copies a template with its contents', async () => {
  const template = await createTestDatabase();
  await queryOnce(template.url, 'create table photos as select 1 as id');
  const copy = await createTestDatabase({ template: new URL(template.url).pathname.slice(1) });
  assert.deepEqual(await queryOnce(copy.url, 'select id from photos'), [{ id: 1 }]);
  await Promise.all([copy.drop(), template.drop()]);
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

test('removes the server of a test process and its files when the process is killed', async () => {
  const source = `
    import { startTestServer } from ${JSON.stringify(new URL('postgres.ts', import.meta.url).href)};
    console.log((await startTestServer()).url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [server] = await queryOnce<{ directory: string }>(
    line.toString().trim(),
    `select current_setting('data_directory') as directory`,
  );
  const files = join(server!.directory, '..');
  assert.equal(await exists(files), true);
  child.kill('SIGKILL');
  await waitUntil('the files are deleted', async () => !(await exists(files)));
});

/** Returns the extensions for searches that this PostgreSQL can install. */
const installExtensions = async (tool: ToolName): Promise<string[]> => {
  const { url } = await startTestServer({ programs: toolPath(tool) });
  const found = await queryOnce<{ name: string }>(
    url,
    `select name from pg_available_extensions where name in ('vector', 'pg_trgm', 'unaccent', 'btree_gist')`,
  );
  for (const { name } of found) await queryOnce(url, `create extension ${name}`);
  return found.map(({ name }) => name).toSorted();
};

const skip = missingTool('postgres-pgvector', 'postgres-plain');

test('starts a PostgreSQL with pgvector and one without, each with the extensions for searches', { skip }, async () => {
  const withPgvector = await installExtensions('postgres-pgvector');
  assert.deepEqual(withPgvector, ['btree_gist', 'pg_trgm', 'unaccent', 'vector']);
  assert.ok(!(await installExtensions('postgres-plain')).includes('vector'));
});
