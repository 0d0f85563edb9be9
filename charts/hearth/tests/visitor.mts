import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pngPhoto } from '../files/scripts/pngPhoto.mts';

/*
 * Runs in a pod and sends requests to the library's Service, as a proxy does: lists, thumbnails, the web app's page,
 * and uploads, without retries. Prints a line per failure, and the counts so far every second.
 */

/** Request counts so far, and how many failed. */
const counts = { gets: 0, uploads: 0, failed: 0 };

const url = process.env['LIBRARY_URL'] ?? '';
const credentials = JSON.stringify({ username: process.env['USERNAME'], password: process.env['PASSWORD'] });

/** Pause after fetching a thumbnail or the page, and after an upload, in ms. */
const pauseMs = { get: 100, upload: 1_000 } as const;

/** Interval of sign-ins, in ms. A token lasts 15 minutes. */
const tokenMs = 300_000;

const headers = { Authorization: '' };
const signIn = async (): Promise<void> => {
  const tokens = await send('POST', '/v1/auth/login', credentials, { 'Content-Type': 'application/json' });
  if (tokens !== undefined)
    headers.Authorization = `Bearer ${(JSON.parse(tokens) as { accessToken: string }).accessToken}`;
};

const browse = async (): Promise<never> => {
  for (;;) {
    counts.gets += 1;
    const list = await send('GET', '/v1/mediaItems?limit=50');
    const items = JSON.parse(list ?? '[]') as { readonly thumbnailUrl?: string }[];
    const thumbnail = items.find(({ thumbnailUrl }) => thumbnailUrl !== undefined)?.thumbnailUrl;
    for (const path of [thumbnail, '/']) {
      if (path === undefined) continue;
      counts.gets += 1;
      const { pathname, search } = new URL(path, url);
      await send('GET', `${pathname}${search}`);
      await sleep(pauseMs.get);
    }
  }
};

const upload = async (): Promise<never> => {
  for (;;) {
    const form = new FormData();
    form.append('file', new Blob([pngPhoto()]), `${randomUUID()}.png`);
    counts.uploads += 1;
    await send('POST', '/v1/mediaItems', form);
    await sleep(pauseMs.upload);
  }
};

/** Sends a request. Returns the body, or records the failure. */
const send = async (method: string, path: string, body?: string | FormData, more = {}): Promise<string | undefined> => {
  const begin = Date.now();
  try {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, ...more },
      signal: AbortSignal.timeout(30_000),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (response.ok) return text;
    fail(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
  } catch (error) {
    const { message, cause } = error as Error;
    fail(`${method} ${path}: ${message} ${String(cause)} after ${Date.now() - begin} ms`);
  }
  return undefined;
};

const fail = (what: string): void => {
  counts.failed += 1;
  console.log(`FAILED ${new Date().toISOString()} ${what}`);
};

process.once('SIGTERM', () => process.exit(0));
await signIn();
setInterval(() => void signIn(), tokenMs);
setInterval(() => console.log(JSON.stringify(counts)), 1_000);
await Promise.all([browse(), browse(), upload()]);
