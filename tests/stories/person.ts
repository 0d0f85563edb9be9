import { randomBytes } from 'node:crypto';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { User, UserCreate } from '@hearth/contract/users.ts';
import {
  describeAnswer,
  formOf,
  send,
  sendForJson,
  signIn,
  uploadOnce,
  type Answer,
  type Credentials,
  type RequestOptions,
} from '@hearth/testkit/hearth/request.ts';
import { until } from '@hearth/testkit/hearth/wait.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';

export interface StoryFile {
  readonly filename: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

/** A signed-in user. */
export interface Person extends Credentials {
  readonly id: string;
  /** Access token, valid for longer than a story. */
  readonly token: string;
  /** Sends a request with the token and returns any response. */
  ask(path: string, options?: RequestOptions): Promise<Answer>;
  /** Returns the JSON of a successful response. @throws otherwise */
  askForJson<Body>(path: string, options?: RequestOptions): Promise<Body>;
  /** Uploads a file that is not in the library yet and returns the item's id. */
  upload(file: StoryFile): Promise<string>;
  /** Waits until an item satisfies `isSo`. @throws if it fails or times out */
  untilItem(id: string, what: string, isSo: (item: MediaItemDetails) => boolean): Promise<MediaItemDetails>;
  untilReady(id: string): Promise<MediaItemDetails>;
  /** Fetches a signed link. */
  open(link: string | undefined, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Timeout in ms for any work of a worker, including its start. */
export const patienceMs = 180_000;

/** Creates an account as administrator, with an unguessable password: an aborted story may leave the account behind. */
export const createPerson = async (
  { url, admin }: KnownInstallation,
  account: Pick<UserCreate, 'quotaBytes' | 'features'> = {},
): Promise<Person> => {
  const credentials = {
    username: `story-${randomBytes(6).toString('hex')}`,
    password: randomBytes(16).toString('base64url'),
  };
  const body = { name: 'Story', ...credentials, ...account };
  const { id } = await sendForJson<User>(url, '/v1/users', { method: 'POST', basic: admin, body });
  const token = await signIn(url, credentials);
  const ask: Person['ask'] = (path, options) => send(url, path, { token, ...options });
  const askForJson: Person['askForJson'] = (path, options) => sendForJson(url, path, { token, ...options });
  const untilItem: Person['untilItem'] = (itemId, what, isSo) =>
    until(
      `${itemId} ${what}`,
      async () => {
        const item = await askForJson<MediaItemDetails>(`/v1/mediaItems/${itemId}`);
        if (item.status === 'FAILED') throw new Error(`${item.filename} is FAILED: ${JSON.stringify(item.processing)}`);
        return isSo(item) && item;
      },
      { patienceMs, everyMs: 250 },
    );
  return {
    ...credentials,
    id,
    token,
    ask,
    askForJson,
    upload: async ({ filename, bytes }) => {
      const answer = await uploadOnce(url, token, formOf(filename, bytes));
      if (answer.status !== 201) throw new Error(describeAnswer(`the upload of ${filename}`, answer));
      return (JSON.parse(answer.text) as { id: string }).id;
    },
    untilItem,
    untilReady: (itemId) => untilItem(itemId, 'is READY', ({ status }) => status === 'READY'),
    open: async (link, headers = {}) => {
      if (link === undefined) throw new Error('there is no link');
      return fetch(reachable(link, url), { headers, signal: AbortSignal.timeout(60_000) });
    },
  };
};

/** Replaces the host of an API link, because the public address may be unreachable from here. */
export const reachable = (link: string, url: string): URL => {
  const { pathname, search, href } = new URL(link, url);
  const begin = pathname.indexOf('/v1/');
  return begin === -1 ? new URL(href) : new URL(`${pathname.slice(begin)}${search}`, url);
};
