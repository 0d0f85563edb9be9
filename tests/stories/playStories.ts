import { describeResponse, send } from '@hearth/testkit/hearth/request.ts';
import { createStoryUser, type StoryUser } from './storyUser.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';
import type { Ffmpeg, Story } from './story.ts';
import { accountStories } from './accountStories.ts';
import { collectionStories } from './collectionStories.ts';
import { videoStories } from './videoStories.ts';
import { photoStories } from './photoStories.ts';
import { serverStories } from './serverStories.ts';
import { sharingStories } from './sharingStories.ts';

export interface PlayOptions extends KnownInstallation {
  /** Runs only stories with this text in their name. */
  readonly only?: string;
  /** Defaults to `with`: videos must be shown. */
  readonly ffmpeg?: Ffmpeg;
  /** Called after each story. */
  readonly say?: (line: string) => void;
}

/** Result of a story. */
export interface PlayedStory {
  readonly name: string;
  readonly seconds: number;
  /** The failed expectation. */
  readonly failure?: Error;
}

/**
 * Runs every story of an installation over HTTP, one after another. Each creates its own users, which are deleted with
 * their data.
 * @throws Error that lists all failed stories with reasons, after all have run
 */
export const playStories = async ({
  only = '',
  ffmpeg = 'with',
  say = console.log,
  ...installation
}: PlayOptions): Promise<readonly PlayedStory[]> => {
  const selected = stories.filter((story) => story.ffmpeg === undefined || story.ffmpeg === ffmpeg);
  const chosen = selected.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) throw new Error(`no story has "${only}" in its name`);
  const played: PlayedStory[] = [];
  for (const story of chosen) {
    const begunAt = performance.now();
    const failure = await playStory(installation, story);
    const seconds = (performance.now() - begunAt) / 1_000;
    played.push({ name: story.name, seconds, ...(failure !== undefined && { failure }) });
    say(`${failure === undefined ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${story.name}`);
  }
  const failures = played.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure.stack}`]));
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${played.length} stories failed\n\n${failures.join('\n\n')}`);
  return played;
};

/** Returns the reason if the story failed. */
const playStory = async (installation: KnownInstallation, { play }: Story): Promise<Error | undefined> => {
  const users: StoryUser[] = [];
  try {
    await play({
      ...installation,
      createUser: async (account) => {
        const user = await createStoryUser(installation, account);
        users.push(user);
        return user;
      },
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    for (const { id } of users) await deleteAccount(installation, id);
  }
};

/** Deletes an account. It may be gone already, because one story deletes it. */
const deleteAccount = async ({ url, admin }: KnownInstallation, id: string): Promise<void> => {
  const path = `/v1/users/${id}`;
  const response = await send(url, path, { method: 'DELETE', basic: admin });
  if (response.status !== 204 && response.status !== 404) throw new Error(describeResponse(`DELETE ${path}`, response));
};

/** Stories for every installation, embedded or from the chart. None depends on optional data such as place names. */
export const stories: readonly Story[] = [
  ...serverStories,
  ...accountStories,
  ...photoStories,
  ...collectionStories,
  ...sharingStories,
  ...videoStories,
];
