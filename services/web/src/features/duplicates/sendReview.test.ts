// @vitest-environment node

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signIn } from '../../lib/api/session.ts';
import { sendReview } from './sendReview.ts';

const accessToken = ['', btoa(JSON.stringify({ sub: 'user', exp: 4_000_000_000 })), ''].join('.');
const group = { id: 'group', revision: '7' };

/** Queued responses of the server, and the requests it received. */
let responses: Response[];
let requests: unknown[];

beforeEach(async () => {
  requests = [];
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('fetch', (address: string, { body }: RequestInit) => {
    if (address === '/v1/auth/login') return Promise.resolve(Response.json({ accessToken }));
    requests.push([address, typeof body === 'string' ? JSON.parse(body) : undefined]);
    return Promise.resolve(responses.shift()!);
  });
  await signIn('family', 'correct horse battery');
});

afterEach(() => vi.unstubAllGlobals());

it('repeats the request with the revision of the group until the server reports completion', async () => {
  responses = [Response.json({ trashed: 1000, isComplete: false }), Response.json({ trashed: 2, isComplete: true })];
  expect(await sendReview(group, { name: 'resolve', keep: ['a'] })).toBe(1002);
  const request = ['/v1/duplicates/group/resolve', { keep: ['a'], revision: '7' }];
  expect(requests).toEqual([request, request]);
});

it('sends the revision with a dismissal', async () => {
  responses = [new Response(null, { status: 204 })];
  expect(await sendReview(group, { name: 'dismiss' })).toBe(0);
  expect(requests).toEqual([['/v1/duplicates/group/dismiss', { revision: '7' }]]);
});

it.each([
  [409, 'CONFLICT'],
  [404, 'NOT_FOUND'],
])('reports how many items were moved before the error %s', async (status, code) => {
  responses = [
    Response.json({ trashed: 1000, isComplete: false }),
    Response.json({ code, message: '' }, { status }),
    Response.json({ trashed: 2, isComplete: true }),
  ];
  await expect(sendReview(group, { name: 'resolve', keep: ['a'] })).rejects.toMatchObject({
    name: 'StoppedReviewError',
    movedCount: 1000,
    cause: { code },
  });
  expect(responses.length).toBe(1);
});
