import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pngPhoto } from './pngPhoto.mts';

/*
 * helm test: signs in, uploads a photo, waits until it is READY, searches for it, fetches its thumbnail, and opens the
 * web app. The administrator creates an account for this, which is deleted with its data at the end.
 * Runs in a pod without any packages.
 */

/** The media item fields that are read. */
interface MediaItem {
  readonly id: string;
  readonly status: string;
  readonly thumbnailUrl?: string;
}

/** Timeout for a photo in ms, including the start of a worker. */
const readyTimeoutMs = 180_000;

const url = process.env['LIBRARY_URL'] ?? 'http://127.0.0.1:5001';
const administrator = `Basic ${Buffer.from(`${process.env['ADMIN_USERNAME']}:${process.env['ADMIN_PASSWORD']}`).toString('base64')}`;
const word = `helmtest${randomBytes(4)
  .toString('hex')
  .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`;
const account = { name: 'helm test', username: word, password: randomBytes(16).toString('base64url') };

const { id: userId } = await request<{ id: string }>('created an account', '/v1/users', {
  method: 'POST',
  authorization: administrator,
  json: account,
});
try {
  await tryLibrary();
} finally {
  await request('deleted the account', `/v1/users/${userId}`, { method: 'DELETE', authorization: administrator });
}

async function tryLibrary(): Promise<void> {
  const { username, password } = account;
  const tokens = await request<{ accessToken: string }>('signed in', '/v1/auth/login', {
    method: 'POST',
    json: { username, password },
  });
  const authorization = `Bearer ${tokens.accessToken}`;
  const form = new FormData();
  form.append('file', new Blob([pngPhoto()]), `${word}.png`);
  const { id } = await request<{ id: string }>('uploaded a photo', '/v1/mediaItems', {
    method: 'POST',
    authorization,
    form,
  });
  const item = await waitForReady(id, authorization);
  const found = await request<readonly MediaItem[]>('searched', `/v1/search?q=${word}`, { authorization });
  if (!found.some((each) => each.id === id)) throw new Error(`search for ${word} does not find ${id}`);
  const thumbnail = await read('read the thumbnail', inCluster(item.thumbnailUrl ?? ''));
  if (!thumbnail.type.startsWith('image/')) throw new Error(`the thumbnail is ${thumbnail.type}`);
  const page = await read('opened the web app', new URL('/', url));
  if (!page.type.startsWith('text/html')) throw new Error(`the web app is ${page.type}`);
}

/**
 * Replaces the host of an API link, because the public address may be unreachable from here. Links into the object
 * store stay unchanged.
 */
function inCluster(link: string): URL {
  const { pathname, search, href } = new URL(link, url);
  const start = pathname.indexOf('/v1/');
  return start === -1 ? new URL(href) : new URL(`${pathname.slice(start)}${search}`, url);
}

async function waitForReady(id: string, authorization: string): Promise<MediaItem> {
  const start = performance.now();
  for (;;) {
    const item = await request<MediaItem>(undefined, `/v1/mediaItems/${id}`, { authorization });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    if (item.status === 'READY') {
      console.log(`ready after ${seconds} s`);
      return item;
    }
    if (item.status === 'FAILED' || performance.now() - start > readyTimeoutMs)
      throw new Error(`the photo is ${item.status} after ${seconds} s`);
    await sleep(500);
  }
}

/** Sends a JSON request. @throws Error with the server's message unless it succeeds */
async function request<ResponseBody>(
  message: string | undefined,
  path: string,
  options: { method?: string; authorization?: string; json?: object; form?: FormData } = {},
): Promise<ResponseBody> {
  const { method = 'GET', authorization, json, form } = options;
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
    signal: AbortSignal.timeout(30_000),
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(form !== undefined && { body: form }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  if (message !== undefined) console.log(message);
  return (text === '' ? undefined : JSON.parse(text)) as ResponseBody;
}

async function read(message: string, address: URL): Promise<{ type: string }> {
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
  const bytes = (await response.arrayBuffer()).byteLength;
  if (!response.ok || bytes === 0) throw new Error(`${address.pathname}: ${response.status}, ${bytes} bytes`);
  console.log(`${message}: ${bytes} bytes`);
  return { type: response.headers.get('content-type') ?? '' };
}
