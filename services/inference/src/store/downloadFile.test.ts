import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test, type TestContext } from 'node:test';
import { downloadFile, type Download } from './downloadFile.ts';

const content = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-download-'));
  path = join(folder, 'file.part');
});
afterEach(() => rm(folder, { recursive: true }));

const serve = async (t: TestContext, answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
};

const ignore = (): void => undefined;

const download = (url: string, { stallMs = 5_000, onProgress = ignore }: Partial<Download> = {}) =>
  downloadFile({ url, path, mostBytes: content.length, onProgress, stallMs });

/** A server that knows ranges. Of each answer it sends `most` bytes, and breaks the connection when they have arrived. */
const breakingServer = (most: number) => {
  const asked: (string | undefined)[] = [];
  const progress: number[] = [];
  let breakAt = 0;
  let breakNow = ignore;
  return {
    asked,
    progress,
    answer: ((request, response) => {
      asked.push(request.headers.range);
      const begin = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      response.writeHead(begin > 0 ? 206 : 200, {
        'content-length': content.length - begin,
        ...(begin > 0 && { 'content-range': `bytes ${begin}-${content.length - 1}/${content.length}` }),
      });
      breakAt = begin + most;
      breakNow = () => void response.destroy();
      response.write(content.subarray(begin, breakAt));
    }) satisfies RequestListener,
    onProgress: (bytes: number): void => {
      progress.push(bytes);
      if (bytes === breakAt && bytes < content.length) breakNow();
    },
  };
};

test('a download goes on where the connection broke, and tells how far it is', async (t) => {
  const { asked, progress, answer, onProgress } = breakingServer(40_000);
  await download(await serve(t, answer), { onProgress });
  assert.deepEqual(await readFile(path), content);
  assert.deepEqual(asked, [undefined, 'bytes=40000-', 'bytes=80000-']);
  assert.equal(progress.at(-1), content.length);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
});

test('a download goes on with what an earlier process has left', async (t) => {
  await writeFile(path, content.subarray(0, 70_000));
  const { asked, answer, onProgress } = breakingServer(100_000);
  await download(await serve(t, answer), { onProgress });
  assert.deepEqual(await readFile(path), content);
  assert.deepEqual(asked, ['bytes=70000-']);
});

test('a server that knows no ranges sends everything again', async (t) => {
  await writeFile(path, Buffer.alloc(70_000));
  await download(await serve(t, (_, response) => void response.end(content)));
  assert.deepEqual(await readFile(path), content);
});

test('a server that does not have the file is asked once', async (t) => {
  let count = 0;
  const url = await serve(t, (_, response) => {
    count += 1;
    response.writeHead(404).end();
  });
  await assert.rejects(download(url), { message: 'the server answers 404' });
  assert.equal(count, 1);
});

test('a server that brings nothing is given up, whether it breaks or stands still', async (t) => {
  const broken = await serve(t, (request) => void request.socket.destroy());
  await assert.rejects(download(broken));
  const still = await serve(t, (_, response) => response.writeHead(200).flushHeaders());
  await assert.rejects(download(still, { stallMs: 100 }), { message: 'nothing came for 0.1 seconds' });
});

test('an answer that is longer than the file does not fill the disk', async (t) => {
  const url = await serve(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(content));
    };
    response.on('drain', more);
    more();
  });
  await assert.rejects(download(url), { message: 'it is longer than 100000 bytes' });
});
