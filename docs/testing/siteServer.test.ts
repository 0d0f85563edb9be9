import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { installSite } from '@hearth/scripts/site/installSite.ts';

/** Server program of the image. */
const program = join(import.meta.dirname, '../server/main.ts');

/** Creates a site of three files, one of them with a compressed variant. */
const makeSite = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-site-server-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'home');
  writeFileSync(join(folder, '404.html'), 'nothing here');
  writeFileSync(join(folder, 'assets/main.js'), 'plain');
  writeFileSync(join(folder, 'assets/main.js.gz'), gzipSync('compressed'));
  return folder;
};

test('the server of the image serves files, compressed if available, and stops on SIGTERM', async (t) => {
  installSite();
  const port = await findFreePort();
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], HEARTH_SITE_DIR: makeSite(t), HEARTH_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const url = `http://127.0.0.1:${port}`;

  const home = await fetch(url);
  assert.equal(await home.text(), 'home');
  assert.equal(home.headers.get('cache-control'), 'no-cache');
  assert.equal(home.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(home.headers.get('content-security-policy'), "frame-ancestors 'none'");
  assert.equal(await (await fetch(`${url}/livez`)).text(), 'ok\n');
  const script = await fetch(`${url}/assets/main.js`);
  assert.equal(script.headers.get('content-encoding'), 'gzip');
  assert.match(script.headers.get('cache-control') ?? '', /immutable/);
  assert.equal(await script.text(), 'compressed');
  const missing = await fetch(`${url}/elsewhere`);
  assert.equal(missing.status, 404);
  assert.equal(await missing.text(), 'nothing here');
  // Raw paths, because fetch would normalize them.
  for (const path of ['/../main.ts', '/..%2f..%2fpackage.json', '/%2e%2e/server/main.ts'])
    assert.equal(await statusOf(port, path), 404, path);

  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

const statusOf = async (port: number, path: string): Promise<number | undefined> => {
  const [response] = (await once(request({ port, path, host: '127.0.0.1' }).end(), 'response')) as [
    { readonly statusCode?: number; resume(): void },
  ];
  response.resume();
  return response.statusCode;
};
