import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { makeFolder, removeUnlessFailed } from '@hearth/testkit/hearth/folder.ts';
import { admin, adminVariables, findFreePorts, runHearth } from '@hearth/testkit/hearth/hearth.ts';
import { send } from '@hearth/testkit/hearth/request.ts';
import { startRecordedInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { playStories, stories } from './playStories.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';

const playedStories = stories.filter(({ ffmpeg }) => ffmpeg !== 'without');

/** Starts Hearth like `npm start`, or two API processes and three workers on cluster back ends. */
const start = async (t: TestContext): Promise<KnownInstallation> => {
  const directory = await makeFolder('stories');
  t.after(() => removeUnlessFailed(t, directory));
  if (isOnCluster) {
    const { url, admin: keeper, stop } = await startRecordedInstallation({ directory });
    t.after(stop);
    return { url, admin: keeper };
  }
  const hearth = await runHearth({ directory, env: adminVariables });
  t.after(() => hearth.stop());
  return { url: hearth.url, admin };
};

test('runs every user story on an installation and leaves no account behind', async (t) => {
  const installation = await start(t);
  const played = await playStories({ ...installation, say: (line) => t.diagnostic(line) });
  assert.equal(played.length, playedStories.length);
  const accounts = await send(installation.url, '/v1/users?limit=100', { basic: installation.admin });
  const usernames = (JSON.parse(accounts.text) as { username: string }[]).map(({ username }) => username);
  assert.deepEqual(
    usernames.filter((username) => username.startsWith('story-')),
    [],
  );
});

test('fails each story and lists all of them if Hearth does not respond', async () => {
  const url = `http://127.0.0.1:${(await findFreePorts()).api}`;
  const lines: string[] = [];
  const error = await playStories({ url, admin, say: (line) => lines.push(line) }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  for (const { name } of playedStories) assert.ok(error?.message.includes(`${name}: `), name);
  assert.equal(lines.filter((line) => line.startsWith('FAILED')).length, playedStories.length);
});

test('selects stories by part of their name, and rejects a selection without matches', async () => {
  const url = `http://127.0.0.1:${(await findFreePorts()).api}`;
  const chosen = playStories({ url, admin, only: 'Live Photo', say: () => undefined });
  await assert.rejects(chosen, /^Error: 1 of 1 stories failed/);
  await assert.rejects(
    playStories({ url, admin, only: 'a story that does not exist' }),
    /no story has "a story that does not exist" in its name/,
  );
});

test('story names are unique', () => {
  assert.equal(new Set(stories.map(({ name }) => name)).size, stories.length);
});
