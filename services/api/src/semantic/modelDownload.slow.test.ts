import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { createTestBackEnds } from '@hearth/testkit/run/backEnds.ts';
import { unusualServers, slowServers, uselessServers, type Respond } from '@hearth/testkit/servers/fileServer.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { startModelMirror } from '@hearth/testkit/models/modelMirror.ts';
import { createClient } from '@hearth/testkit/api/client.ts';
import { admin, toBasicAuth, testEnvironment } from '@hearth/testkit/api/testApi.ts';
import { signUp } from '@hearth/testkit/api/testUser.ts';

const database = await createMigratedDatabase();
const backEnds = await createTestBackEnds();
const directory = await mkdtemp(join(getFastFolder(), 'hearth-model-download-'));
after(async () => {
  await database.drop();
  await backEnds.remove();
  await rm(directory, { recursive: true, force: true });
});

const stall = slowServers['a stall in the body'].respond;

/** A mirror's responses to the first files of the model. The last file never completes. */
const mirrors: Readonly<Record<string, readonly Respond[]>> = {
  'closes connections after the body': [unusualServers['HTTP/1.0'], unusualServers['Connection: close']],
  'breaks off': [uselessServers.truncation.respond, uselessServers['garbage among chunks'].respond],
  'sends too much': [uselessServers['endless bytes'].respond, uselessServers['endless headers'].respond],
  misleads: [uselessServers['a wrong length'].respond, uselessServers['a redirect loop'].respond],
};

for (const [name, responses] of Object.entries(mirrors))
  test(`the API survives a download for a search from a mirror that ${name}`, async (t) => {
    const mirror = await startModelMirror([...responses, stall]);
    t.after(mirror.close);
    const port = await findFreePort();
    const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
      env: {
        ...testEnvironment(database.url, directory),
        ...backEnds.variables,
        HEARTH_PORT: String(port),
        HEARTH_MODEL_DIR: join(directory, name),
        HEARTH_MODEL_MIRROR: mirror.url,
        HEARTH_OFFLINE: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('API ready')) break;
    child.stdout.resume();
    const url = `http://127.0.0.1:${port}`;
    const { id, call } = await signUp(url, createClient(url, toBasicAuth(admin)));
    // Simulates a worker that has embedded pictures.
    await database.db.insertInto('answering_models').values({ user_id: id, model: 'tinyclip-vit-8m-16' }).execute();
    await call('searchMediaItems', { query: { q: 'dog' } });
    await waitUntil('the last file is requested', () => new Set(mirror.requests.map(({ path }) => path)).size === 3);
    const { status, headers } = await call('searchMediaItems', { query: { q: 'cat' } });
    assert.equal(status, 200);
    assert.equal(headers.get('x-search-mode'), 'text');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
