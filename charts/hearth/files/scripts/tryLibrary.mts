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
const patienceMs = 180_000;

const url = process.env['LIBRARY_URL'] ?? 'http://127.0.0.1:5001';
const administrator = `Basic ${Buffer.from(`${process.env['ADMIN_USERNAME']}:${process.env['ADMIN_PASSWORD']}`).toString('base64')}`;
const word = `helmtest${randomBytes(4)
  .toString('hex')
  .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`;
const account = { name: 'helm test', username: word, password: randomBytes(16).toString('base64url') };

const { id: userId } = await ask<{ id: string }>('created an account', '/v1/users', {
  method: 'POST',
  authorization: administrator,
  json: account,
});
try {
  await tryLibrary();
} finally {
  await ask('deleted the account', `/v1/users/${userId}`, { method: 'DELETE', authorization: administrator });
}

async function tryLibrary(): Promise<void> {
  const { username, password } = account;
  const tokens = await ask<{ accessToken: string }>('signed in', '/v1/auth/login', {
    method: 'POST',
    json: { username, password },
  });
  const authorization = `Bearer ${tokens.accessToken}`;
  const form = new FormData();
  form.append('file', new Blob([pngPhoto()]), `${word}.png`);
  const { id } = await ask<{ id: string }>('uploaded a photo', '/v1/mediaItems', {
    method: 'POST',
    authorization,
    form,
  });
  const item = await waitForReady(id, authorization);
  const found = await ask<readonly MediaItem[]>('searched', `/v1/search?q=${word}`, { authorization });
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
  const begin = pathname.indexOf('/v1/');
  return begin === -1 ? new URL(href) : new URL(`${pathname.slice(begin)}${search}`, url);
}

async function waitForReady(id: string, authorization: string): Promise<MediaItem> {
  const begin = performance.now();
  for (;;) {
    const item = await ask<MediaItem>(undefined, `/v1/mediaItems/${id}`, { authorization });
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
    if (item.status === 'READY') {
      console.log(`ready after ${seconds} s`);
      return item;
    }
    if (item.status === 'FAILED' || performance.now() - begin > patienceMs)
      throw new Error(`the photo is ${item.status} after ${seconds} s`);
    await sleep(500);
  }
}

/** Sends a JSON request. @throws Error with the server's message unless it succeeds */
async function ask<Answer>(
  done: string | undefined,
  path: string,
  options: { method?: string; authorization?: string; json?: object; form?: FormData } = {},
): Promise<Answer> {
  const { method = 'GET', authorization, json, form } = options;
  const answer = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
    signal: AbortSignal.timeout(30_000),
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(form !== undefined && { body: form }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  if (done !== undefined) console.log(done);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

async function read(done: string, address: URL): Promise<{ type: string }> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(30_000) });
  const bytes = (await answer.arrayBuffer()).byteLength;
  if (!answer.ok || bytes === 0) throw new Error(`${address.pathname}: ${answer.status}, ${bytes} bytes`);
  console.log(`${done}: ${bytes} bytes`);
  return { type: answer.headers.get('content-type') ?? '' };
}
