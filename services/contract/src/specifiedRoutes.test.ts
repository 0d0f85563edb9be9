import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from './routes.ts';

/** Paths and methods of the specification, §7. */
const specified = {
  '/version': 'get',
  '/disk': 'get',
  '/v1/features': 'get',
  '/v1/yearsAgo/{monthDate}/mediaItems': 'get',
  '/v1/search': 'get',
  '/v1/mediaItems': 'get post',
  '/v1/mediaItems/{id}': 'get put delete',
  '/v1/mediaItems/{id}/places': 'get',
  '/v1/mediaItems/{id}/things': 'get',
  '/v1/mediaItems/{id}/people': 'get',
  '/v1/mediaItems/{id}/albums': 'get',
  '/v1/favourites': 'get post delete',
  '/v1/hidden': 'get post delete',
  '/v1/trash': 'get post delete',
  '/v1/explore/places': 'get',
  '/v1/explore/things': 'get',
  '/v1/explore/people': 'get',
  '/v1/explore/places/{id}/mediaItems': 'get',
  '/v1/explore/things/{id}/mediaItems': 'get',
  '/v1/explore/people/{id}/mediaItems': 'get',
  '/v1/explore/people/{id}': 'put',
  '/v1/albums': 'get post',
  '/v1/albums/{id}': 'get put delete',
  '/v1/albums/{id}/mediaItems': 'get post delete',
  '/v1/sharing/{id}': 'get',
  '/v1/sharing/{id}/mediaItems': 'get',
  '/v1/auth/login': 'post',
  '/v1/auth/refresh': 'post',
  '/v1/auth/logout': 'post',
  '/v1/users': 'get post',
  '/v1/users/{id}': 'get put delete',
  '/v1/jobs': 'get post',
  '/v1/jobs/{id}': 'get put',
} as const;

test('contains every call of the specification', () => {
  const built = new Set<string>(Object.values(routes).map(({ method, path }) => `${method} ${path}`));
  const wanted = Object.entries(specified).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => `${method} ${path}`),
  );
  assert.deepEqual(
    wanted.filter((call) => !built.has(call)),
    [],
  );
});
