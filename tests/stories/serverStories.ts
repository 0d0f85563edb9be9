import assert from 'node:assert/strict';
import type { Disk, Version } from '@hearth/contract/system.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { send, sendForJson } from '@hearth/testkit/hearth/request.ts';
import { expectError, expectFile, expectStatus } from './expectResponse.ts';
import type { Story } from './story.ts';

/** Stories about a server without an account. */
export const serverStories: readonly Story[] = [
  {
    name: 'the web app opens at its home page and at an inner page',
    play: async ({ url }) => {
      for (const path of ['/', '/albums']) {
        // Browsers send this header when they open a page. Without it, unknown paths get 404.
        const opening = fetch(new URL(path, url), { headers: { Accept: 'text/html' } });
        const page = await expectFile(opening, /^text\/html/, path);
        assert.match(page.toString(), /<script/, `${path} does not load the web app`);
      }
    },
  },
  {
    name: 'a client reads the version, the storage usage and the OpenAPI document',
    play: async ({ url }) => {
      assert.equal((await sendForJson<Version>(url, '/version')).version, apiVersion);
      assert.ok((await sendForJson<Disk>(url, '/disk')).used >= 0);
      const document = await sendForJson<{ readonly openapi: string }>(url, '/openapi.json');
      assert.match(document.openapi, /^3\.1/);
    },
  },
  {
    name: 'requests without authentication or for unknown paths are rejected',
    play: async ({ url }) => {
      await expectError(send(url, '/v1/mediaItems'), 401, 'UNAUTHORIZED', 'a list without a token');
      await expectError(
        send(url, '/v1/mediaItems', { token: 'none' }),
        401,
        'UNAUTHORIZED',
        'a list with a wrong token',
      );
      await expectStatus(send(url, '/v1/users'), 401, 'accounts without a password');
      await expectError(send(url, '/v1/nothing'), 404, 'NOT_FOUND', 'an unknown path');
    },
  },
];
