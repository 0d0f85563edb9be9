import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { findCredentials, findFreePorts } from '@hearth/testkit/hearth/hearth.ts';
import { send, type Credentials } from '@hearth/testkit/hearth/request.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { prepareHearth, startTestHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';

test(
  'recovers everything after kill -9 of all processes, and does not print the password again',
  needsLinux,
  async (t) => {
    const { directory, client, processes, start } = await startTestHearth(t, { HEARTH_LEASE_SECONDS: '2' });
    const photos = await makePhotos(7, 6);
    const ids = await Promise.all(photos.map((photo) => client.upload(photo)));
    for (const member of processes.living()) processes.signal(member, 'SIGKILL');
    assert.deepEqual(await processes.waitForEnd(5_000), []);

    const secondList = start();
    await secondList.running;
    assert.equal(findCredentials(secondList.output()), undefined);
    assert.doesNotMatch(secondList.output(), /password/i);
    await waitUntilReady(queryEmbedded(directory));
    const { items, totalCount } = await client.list();
    assert.deepEqual(
      items.map(({ id, status }) => `${id} ${status}`).toSorted(),
      ids.map((id) => `${id} READY`).toSorted(),
    );
    assert.equal(totalCount, ids.length);
  },
);

test(
  'refuses a second start on the same data directory with a message, and the first one continues',
  needsLinux,
  async (t) => {
    const { client, start } = await startTestHearth(t, {});
    const { api, metrics } = await findFreePorts();
    const second = start({ HEARTH_PORT: String(api), HEARTH_METRICS_PORT: String(metrics) });
    assert.deepEqual(await second.ended, { code: 1, signal: null });
    assert.match(
      second.output(),
      /^Hearth cannot start: Another Hearth is running on the data directory \S+; stop that one first, [^\n]+\n$/,
    );
    assert.deepEqual(await client.list(), { items: [], totalCount: 0 });
  },
);

test('Ctrl-C stops every process during active work, with exit code 0', needsLinux, async (t) => {
  const { hearth, client, processes } = await startTestHearth(t, {});
  await Promise.all((await makePhotos(8, 4)).map((photo) => client.upload(photo)));
  process.kill(-hearth.pid, 'SIGINT');
  assert.deepEqual(await hearth.ended, { code: 0, signal: null });
  assert.deepEqual(await processes.waitForEnd(5_000), []);
  assert.match(hearth.output(), /\nHearth has stopped\.\n$/);
});

test('SIGTERM at the first response stops it cleanly', needsLinux, async (t) => {
  const { processes, start } = await prepareHearth(t);
  for (let round = 0; round < 3; round++) {
    const hearth = start();
    await waitFor('the first response', () => send(hearth.url, '/version').catch(() => undefined), { everyMs: 5 });
    process.kill(hearth.pid, 'SIGTERM');
    assert.deepEqual(await hearth.ended, { code: 0, signal: null }, hearth.output());
    assert.match(hearth.output(), /\nHearth has stopped\.\n$/);
    assert.doesNotMatch(hearth.output(), /cannot start/);
    assert.deepEqual(await processes.waitForEnd(5_000), []);
  }
});

for (const [which, offset] of [
  ['HEARTH_PORT', 0],
  ['HEARTH_METRICS_PORT', 1],
] as const) {
  test(`reports a used port of ${which} in one sentence, and leaves no process`, needsLinux, async (t) => {
    const { ports, processes, start } = await prepareHearth(t);
    const taken = ports.api + offset;
    const other = createServer().listen(taken, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const hearth = start();
    assert.deepEqual(await hearth.ended, { code: 1, signal: null });
    assert.match(hearth.output(), new RegExp(`\\nHearth cannot start: [^\\n]*port ${taken} is used by [^\\n]+\\n$`));
    assert.deepEqual(await processes.waitForEnd(5_000), []);
  });
}

test('prints all configuration problems at once, including those of the worker', needsLinux, async (t) => {
  const { processes, start } = await prepareHearth(t);
  const wrong = {
    HEARTH_PORT: 'http',
    HEARTH_LOG_LEVEL: 'loud',
    HEARTH_TIMEZONE: 'Mars',
    HEARTH_LEASE_SECONDS: 'none',
  };
  const hearth = start(wrong);
  const { code } = await hearth.ended;
  assert.notEqual(code, 0);
  for (const name of Object.keys(wrong)) assert.match(hearth.output(), new RegExp(`^  - ${name}: `, 'm'));
  assert.deepEqual(await processes.waitForEnd(5_000), []);
});

test('the next start completes a first start that was killed at any moment', needsLinux, async (t) => {
  t.diagnostic(`seed ${testSeed}`);
  const random = createRandom(testSeed);
  const { processes, start } = await prepareHearth(t);
  let shown: Credentials | undefined;
  for (let kills = 0; kills < 6; kills++) {
    const hearth = start();
    await sleep(random.between(100, 3_500));
    const process = processes.find(hearth.pid);
    assert.ok(process, `start ${kills} exited unexpectedly:\n${hearth.output()}`);
    processes.signal(process, 'SIGKILL');
    await hearth.ended;
    shown = findCredentials(hearth.output()) ?? shown;
  }
  const hearth = start();
  await hearth.running;
  shown = findCredentials(hearth.output()) ?? shown;
  const over = new AbortController();
  t.after(() => over.abort());
  assert.deepEqual(await openClient(hearth.url, shown!, over.signal).list(), { items: [], totalCount: 0 });
});
