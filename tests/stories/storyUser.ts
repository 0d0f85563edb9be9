import { randomBytes } from 'node:crypto';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { User, UserCreate } from '@hearth/contract/users.ts';
import {
  describeResponse,
  makeForm,
  send,
  sendForJson,
  signIn,
  uploadOnce,
  type HttpResponse,
  type Credentials,
  type RequestOptions,
} from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';

export interface StoryFile {
  readonly filename: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

/** A signed-in user. */
export interface StoryUser extends Credentials {
  readonly id: string;
  /** Access token, valid for longer than a story. */
  readonly token: string;
  /** Sends a request with the token and returns any response. */
  request(path: string, options?: RequestOptions): Promise<HttpResponse>;
  /** Returns the JSON of a successful response. @throws otherwise */
  requestJson<Body>(path: string, options?: RequestOptions): Promise<Body>;
  /** Uploads a file that is not in the library yet and returns the item's id. */
  upload(file: StoryFile): Promise<string>;
  /** Waits until an item satisfies `condition`. @throws if it fails or times out */
  waitForItem(id: string, what: string, condition: (item: MediaItemDetails) => boolean): Promise<MediaItemDetails>;
  waitUntilReady(id: string): Promise<MediaItemDetails>;
  /** Fetches a signed link. */
  open(link: string | undefined, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Timeout in ms for any work of a worker, including its start. */
export const timeoutMs = 180_000;

/** Creates an account as administrator, with an unguessable password: an aborted story may leave the account behind. */
export const createStoryUser = async (
  { url, admin }: KnownInstallation,
  account: Pick<UserCreate, 'quotaBytes' | 'features'> = {},
): Promise<StoryUser> => {
  const credentials = {
    username: `story-${randomBytes(6).toString('hex')}`,
    password: randomBytes(16).toString('base64url'),
  };
  const body = { name: 'Story', ...credentials, ...account };
  const { id } = await sendForJson<User>(url, '/v1/users', { method: 'POST', basic: admin, body });
  const token = await signIn(url, credentials);
  const request: StoryUser['request'] = (path, options) => send(url, path, { token, ...options });
  const requestJson: StoryUser['requestJson'] = (path, options) => sendForJson(url, path, { token, ...options });
  const waitForItem: StoryUser['waitForItem'] = (itemId, what, condition) =>
    waitFor(
      `${itemId} ${what}`,
      async () => {
        const item = await requestJson<MediaItemDetails>(`/v1/mediaItems/${itemId}`);
        if (item.status === 'FAILED') throw new Error(`${item.filename} is FAILED: ${JSON.stringify(item.processing)}`);
        return condition(item) && item;
      },
      { timeoutMs, everyMs: 250 },
    );
  return {
    ...credentials,
    id,
    token,
    request,
    requestJson,
    upload: async ({ filename, bytes }) => {
      const response = await uploadOnce(url, token, makeForm(filename, bytes));
      if (response.status !== 201) throw new Error(describeResponse(`the upload of ${filename}`, response));
      return (JSON.parse(response.text) as { id: string }).id;
    },
    waitForItem,
    waitUntilReady: (itemId) => waitForItem(itemId, 'is READY', ({ status }) => status === 'READY'),
    open: async (link, headers = {}) => {
      if (link === undefined) throw new Error('no link');
      return fetch(toReachableUrl(link, url), { headers, signal: AbortSignal.timeout(60_000) });
    },
  };
};

/** Replaces the host of an API link, because the public address may be unreachable from here. */
export const toReachableUrl = (link: string, url: string): URL => {
  const { pathname, search, href } = new URL(link, url);
  const begin = pathname.indexOf('/v1/');
  return begin === -1 ? new URL(href) : new URL(`${pathname.slice(begin)}${search}`, url);
};
