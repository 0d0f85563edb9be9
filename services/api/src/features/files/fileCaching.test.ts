import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createTestBucket, startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

/** Number of pictures on the page. */
const pictures = 12;

suite('a page of pictures in Chromium', { skip: missingTool('chromium') }, () => {
  test('requests no picture on its second visit after a browser restart', async () => {
    const api = await startTestApi();
    after(() => api.stop());
    // Page and files on one host, as in the web app.
    const page = await startPage(await makeLinks(api), api.url);
    after(() => page.close());
    await assertSecondVisitIsFree(page.url, page);
  });

  test(
    'requests no picture on its second visit with direct links to the store',
    { skip: missingTool('versitygw') },
    async () => {
      const s3 = await startTestS3();
      after(() => s3.stop());
      const { settings } = await createTestBucket(s3);
      const proxy = await startPage([], s3.endpoint);
      after(() => proxy.close());
      const api = await startTestApi({
        config: {
          s3Endpoint: settings.endpoint,
          s3Bucket: settings.bucket,
          s3AccessKey: settings.accessKey,
          s3SecretKey: settings.secretKey,
          s3PublicUrl: new URL(proxy.url).origin,
          s3DirectLinks: true,
        },
      });
      after(() => api.stop());
      const page = await startPage(await makeLinks(api), api.url);
      after(() => page.close());
      await assertSecondVisitIsFree(page.url, proxy);
    },
  );
});

/** Stores photos of a new user and returns their links. */
const makeLinks = async ({ deps, signUp }: TestApi): Promise<string[]> => {
  const user = await signUp();
  for (let i = 0; i < pictures; i++) {
    const bytes = await makeNextPhoto();
    const { id } = await buildMediaItem(deps.db, user.id, { filename: 'a.jpg', size_bytes: bytes.length });
    await deps.objects.put(originalKey(user.id, id), Readable.from([bytes]));
  }
  const { body } = await user.call('listMediaItems', { query: { limit: pictures } });
  return body.map(({ sourceUrl }) => sourceUrl);
};

/** Page script that writes the number of loaded pictures to the title. */
const script = `onload = () => {
  document.title = [...document.images].filter((image) => image.naturalWidth === 96).length + ' shown';
};`;

/** Serves a page with these pictures. Forwards all other requests to `target` and counts them. */
const startPage = async (links: readonly string[], target: string) => {
  const images = links.map((link) => `<img src="${link.replaceAll('&', '&amp;')}">`);
  const html = `<!doctype html><link rel="icon" href="data:,"><script src="script.js"></script>${images.join('')}`;
  // Same policy as the API's own pages, including the web app.
  const policy = (await fetch(`${target}/version`)).headers.get('content-security-policy');
  let requestCount = 0;
  const server = createServer((req, res) => {
    if (req.url === '/script.js') {
      res.setHeader('Content-Type', 'text/javascript');
      res.end(script);
      return;
    }
    if (req.url === '/') {
      res.setHeader('Content-Type', 'text/html');
      if (policy !== null) res.setHeader('Content-Security-Policy', policy);
      res.end(html);
      return;
    }
    requestCount += 1;
    const passed = request(new URL(req.url ?? '/', target), { method: req.method ?? 'GET', headers: req.headers });
    passed.on('response', (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
    });
    req.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    countRequests: () => requestCount,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const assertSecondVisitIsFree = async (url: string, files: { readonly countRequests: () => number }): Promise<void> => {
  const profile = await mkdtemp(join(tmpdir(), 'hearth-chromium-'));
  after(() => rm(profile, { recursive: true, force: true }));
  for (const visit of ['first', 'second']) {
    assert.match(await visitPage(url, profile), new RegExp(`<title>${pictures} shown</title>`), visit);
    assert.equal(files.countRequests(), pictures, `after the ${visit} visit`);
  }
};

/** Returns the page's DOM after everything has loaded. */
const visitPage = async (url: string, profile: string): Promise<string> => {
  const options = [...headlessOptions, `--user-data-dir=${profile}`, '--dump-dom', url];
  const { stdout } = await promisify(execFile)(toolPath('chromium'), options, { timeout: 120_000, maxBuffer: 2 ** 24 });
  return stdout;
};
