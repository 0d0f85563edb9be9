import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test, type TestContext } from 'node:test';
import {
  unusualServers,
  slowServers,
  startFileServer,
  uselessServers,
  type FileRequest,
  type Respond,
} from '@hearth/testkit/servers/fileServer.ts';
import { downloadFile, type Download } from './downloadFile.ts';

const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251));

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-download-'));
  path = join(folder, 'file.part');
});
afterEach(() => rm(folder, { recursive: true }));

const serve = async (t: TestContext, respond: (request: FileRequest) => Respond) => {
  const server = await startFileServer(() => content, respond);
  t.after(server.close);
  return server;
};

const serveHttp = async (t: TestContext, listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const download = (url: string, options: Partial<Download> = {}) =>
  downloadFile({ url: `${url}/file`, path, bytes: content.length, ...options });

/** Blocks the event loop for 5 ms, so that the end of the connection arrives before its bytes are read. */
const blockProcess = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);

const refuseRange: Respond = (socket) => socket.end('HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n');

suite('downloads the whole file from a server with', () => {
  for (const [name, respond] of Object.entries<Respond>(unusualServers))
    test(name, async (t) => {
      await download((await serve(t, () => respond)).url);
      assert.deepEqual(await readFile(path), content);
    });
});

suite('fails on a server with', () => {
  for (const [name, { respond, report }] of Object.entries({ ...uselessServers, ...slowServers }))
    test(name, async (t) => {
      const server = await serve(t, () => respond);
      await assert.rejects(
        download(server.url, { limits: { stallMs: name in slowServers ? 200 : 10_000 } }),
        ({ message }: Error) => {
          assert.match(message, report);
          assert.ok(message.startsWith(new URL(server.url).host), message);
          return true;
        },
      );
      assert.ok(server.requests.length <= 6, 'gives up after a few attempts');
    });

  test('a body of one byte at a time', async (t) => {
    const url = await serveHttp(t, (_, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    });
    await assert.rejects(download(url, { limits: { stallMs: 200, totalMs: 600 } }), {
      message: /took longer than 0.6/,
    });
  });

  test('TLS that never begins', async (t) => {
    const { url } = await serve(t, () => () => undefined);
    const limits = { connectMs: 200 };
    await assert.rejects(download(url.replace('http', 'https'), { limits }), { message: /did not open a connection/ });
  });

  test('no TLS', async (t) => {
    const url = await serveHttp(t, () => undefined);
    await assert.rejects(download(url.replace('http', 'https')), { message: /^127.*does not speak TLS/ });
  });

  test('no listener', async () => {
    await assert.rejects(download('http://127.0.0.1:1'), { message: /^127\.0\.0\.1:1 cannot be reached: check/ });
  });
});

suite('resumes', () => {
  test('at the byte where the connection broke, unless the file has changed', async (t) => {
    let version = 1;
    const server = await serve(t, ({ offset }) => (socket) => {
      const tag = `ETag: "${version}"`;
      const length = content.length - offset;
      if (offset === 0) {
        socket.write(`HTTP/1.1 200 OK\r\n${tag}\r\nContent-Length: ${length}\r\n\r\n`);
        socket.end(version === 1 ? content.subarray(0, 1_000_000) : content);
        version = 2;
      } else {
        socket.write(`HTTP/1.1 200 OK\r\n${tag}\r\nContent-Length: ${content.length}\r\n\r\n`);
        socket.end(content);
      }
    });
    await download(server.url);
    assert.deepEqual(await readFile(path), content);
    const [first, second] = server.requests.map(({ headers }) => headers);
    assert.equal(first!.has('range'), false);
    assert.match(second!.get('range')!, /^bytes=[1-9]\d*-$/);
    assert.equal(second!.get('if-range'), '"1"');
  });

  test('a file of an earlier process, and reports progress', async (t) => {
    await writeFile(path, content.subarray(0, 70_000));
    const server = await serve(t, () => unusualServers['Connection: close']);
    const progress: number[] = [];
    await download(server.url, { onProgress: (bytes) => progress.push(bytes) });
    assert.deepEqual(await readFile(path), content);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.get('range')),
      ['bytes=70000-'],
    );
    assert.equal(progress.at(-1), content.length);
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
  });

  test('from the beginning on a server without ranges', async (t) => {
    await writeFile(path, Buffer.alloc(70_000));
    await download((await serve(t, () => unusualServers['HTTP/1.0'])).url);
    assert.deepEqual(await readFile(path), content);
  });

  test('from the beginning after status 416, once', async (t) => {
    await writeFile(path, content.subarray(0, 70_000));
    let isWhole = true;
    const breakOff: Respond = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${content.length}\r\n\r\n`);
      socket.end(content.subarray(0, 70_000));
    };
    const server = await serve(t, ({ offset }) =>
      offset > 0 ? refuseRange : isWhole ? unusualServers['HTTP/1.0'] : breakOff,
    );
    await download(server.url);
    assert.deepEqual(await readFile(path), content);

    await rm(path);
    isWhole = false;
    await assert.rejects(download(server.url));
    assert.ok(server.requests.length <= 6);
  });
});

suite('follows a redirect', () => {
  test('to another host', async (t) => {
    const target = await serve(t, () => unusualServers['HTTP/1.0']);
    const url = await serveHttp(t, (_, response) =>
      response.writeHead(302, { location: `${target.url.replace('127.0.0.1', 'localhost')}/there` }).end(),
    );
    await download(url);
    assert.deepEqual(await readFile(path), content);
    assert.equal(target.requests[0]!.path, '/there');
  });

  test('but not to another host if that is forbidden', async (t) => {
    const target = await serve(t, () => unusualServers['HTTP/1.0']);
    let location = `${target.url}/there`;
    const url = await serveHttp(t, (_, response) => response.writeHead(302, { location }).end());
    await download(url, { isHostFixed: true });
    await rm(path);
    location = `${target.url.replace('127.0.0.1', 'localhost')}/there`;
    await assert.rejects(download(url, { isHostFixed: true }), { message: /redirects to localhost.*HEARTH_OFFLINE/ });
    assert.equal(target.requests.length, 1);
  });
});

test('writes the whole file even if the reader is slow', async (t) => {
  const { url } = await serve(t, () => unusualServers['Connection: close']);
  await download(url, { onProgress: blockProcess });
  assert.deepEqual(await readFile(path), content);
});

test('uses the proxy of HTTP_PROXY, except for hosts in NO_PROXY', async (t) => {
  const proxied: string[] = [];
  const proxy = await serveHttp(t, ({ url = '' }, response) => {
    proxied.push(url);
    response.end(content);
  });
  /* oxlint-disable node/no-process-env -- proxies are named there only */
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
  });
  Object.assign(process.env, { HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' });
  /* oxlint-enable node/no-process-env */
  await download('http://models.example');
  assert.deepEqual(proxied, ['http://models.example/file']);
  await rm(path);
  await download((await serve(t, () => unusualServers['HTTP/1.0'])).url);
  assert.equal(proxied.length, 1);
});

test('does not retry after status 404', async (t) => {
  const server = await serve(t, () => uselessServers['status 404'].respond);
  await assert.rejects(download(server.url), { message: /^127.*does not have \/file \(status 404\): check the URL/ });
  assert.equal(server.requests.length, 1);
});
