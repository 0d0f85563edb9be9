// @vitest-environment node

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signIn } from '../api/session.ts';
import { deleteForGood } from './deleteForGood.ts';

const accessToken = ['', btoa(JSON.stringify({ sub: 'user', exp: 4_000_000_000 })), ''].join('.');
const statuses = new Map<string, number>();

/** Node has no `localStorage`, and the events of happy-dom do not work with p-queue. */
const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

beforeEach(async () => {
  statuses.clear();
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('fetch', (address: string) => {
    if (address === '/v1/auth/login') return Promise.resolve(Response.json({ accessToken }));
    const status = statuses.get(address) ?? 204;
    if (status === 204) return Promise.resolve(new Response(null, { status }));
    return Promise.resolve(Response.json({ code: status === 404 ? 'NOT_FOUND' : 'INTERNAL', message: '' }, { status }));
  });
  await signIn('family', 'correct horse battery');
});

afterEach(() => vi.unstubAllGlobals());

const toUrl = (id: string): string => `/v1/mediaItems/${id}?permanent=true`;
const ids = Array.from({ length: 10 }, (_, index) => `item-${index}`);

it('removes every item, and counts missing ones as removed', async () => {
  statuses.set(toUrl('item-3'), 404);
  const removed: string[] = [];
  await deleteForGood(ids, { onRemoved: (id) => removed.push(id) });
  expect(removed.toSorted()).toEqual(ids);
});

it('stops after the first item that fails', async () => {
  statuses.set(toUrl('item-0'), 500);
  const removed: string[] = [];
  await expect(deleteForGood(ids, { onRemoved: (id) => removed.push(id) })).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(removed.length).toBeLessThan(ids.length - 1);
});

it('stops between two items when aborted', async () => {
  const ending = new AbortController();
  const removed: string[] = [];
  const deleting = deleteForGood(ids, {
    signal: ending.signal,
    onRemoved: (id) => {
      removed.push(id);
      ending.abort();
    },
  });
  await expect(deleting).rejects.toMatchObject({ name: 'AbortError' });
  expect(removed.length).toBeLessThan(ids.length);
});
