import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openFolderStore } from '@hearth/core/objects/folder/folderStore.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { createTestDatabase, findServer, queryOnce } from '@hearth/testkit/database/postgres.ts';
import { fixtureUser } from '@hearth/testkit/release/fillEveryTable.ts';
import { listFixtures, readFixture } from '@hearth/testkit/release/storedFixtures.ts';
import { restoreFixture } from '@hearth/testkit/release/restoreFixture.ts';
import { makeFolder, removeUnlessFailed } from '@hearth/testkit/hearth/folder.ts';
import { send, sendForJson, signIn, userPassword as password } from '@hearth/testkit/hearth/request.ts';
import { playStories } from './playStories.ts';

interface Item {
  readonly id: string;
  readonly sourceUrl: string;
}

for (const name of await listFixtures())
  test(`upgrades a database from ${name} without losing rows, and passes every story`, async (t) => {
    const directory = await makeFolder('upgrade');
    t.after(() => removeUnlessFailed(t, directory));
    const database = await createTestDatabase();
    t.after(() => database.drop());
    const superuserUrl = new URL(await findServer());
    superuserUrl.pathname = new URL(database.url).pathname;
    await restoreFixture(await readFixture(name), database.url, superuserUrl.href);
    const stored = await queryOnce<{ id: string; userId: string }>(
      database.url,
      'select id, user_id as "userId" from media_items',
    );
    const store = await openFolderStore(join(directory, 'data', 'objects'));
    await store.claim();
    for (const { id, userId } of stored)
      await store.put(originalKey(userId, id), Readable.from([Buffer.from(id)], { objectMode: false }));

    const { url, admin, stop } = await startInstallation({ directory, databaseUrl: database.url, apis: 1, workers: 1 });
    t.after(stop);
    const users = await sendForJson<{ id: string; username: string }[]>(url, '/v1/users', { basic: admin });
    const { id: userId } = users.find(({ username }) => username === fixtureUser)!;
    const changed = await send(url, `/v1/users/${userId}`, { method: 'PUT', basic: admin, body: { password } });
    assert.equal(changed.status, 204, changed.text);
    const token = await signIn(url, { username: fixtureUser, password });
    const items = await sendForJson<Item[]>(url, '/v1/mediaItems?limit=200', { token });
    assert.ok(items.length > 50);
    for (const { id, sourceUrl } of items.slice(0, 5)) {
      const bytes = await (await fetch(new URL(sourceUrl, url))).bytes();
      assert.equal(digest(bytes), digest(Buffer.from(id)));
    }
    for (const path of ['albums', 'explore/people', 'explore/places', 'explore/things'])
      assert.ok((await sendForJson<object[]>(url, `/v1/${path}`, { token })).length > 0, path);
    await playStories({ url, admin, say: (line) => t.diagnostic(line) });
  });

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
