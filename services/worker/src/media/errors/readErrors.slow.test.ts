import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDecoderQueue } from '../decoder/decoderQueue.ts';
import type { PhotoRequest, VideoRequest } from '../decoder/decoderProtocol.ts';
import type { PhotoFormat } from '../formats/photoFormats.ts';
import { readCompletely } from './readErrors.ts';
import { limitOpenFiles } from '@hearth/testkit/decoders/limitOpenFiles.ts';
import { makeSampleFiles } from '@hearth/testkit/media/sampleFiles.ts';
import { makeSampleVideos } from '@hearth/testkit/media/sampleVideos.ts';
import { transcodeVideo } from '../transcode/transcodeVideo.ts';

const queue = openDecoderQueue({ size: 1, maxChildren: 1, timeoutMs: 30_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
const folder = await mkdtemp(join(tmpdir(), 'hearth-trouble-'));
after(async () => {
  await queue.close();
  await rm(folder, { recursive: true });
});

const { raw: _, ...photos } = await makeSampleFiles();
const film = (await makeSampleVideos())['hevc-10-bit.mp4']!;
const requests: [string, PhotoRequest | VideoRequest][] = [];
for (const [format, bytes] of Object.entries({ ...photos, video: film })) {
  const path = join(folder, format);
  await writeFile(path, bytes);
  const kind =
    format === 'video' ? ({ kind: 'video' } as const) : { kind: 'photo' as const, format: format as PhotoFormat };
  requests.push([format, { ...kind, path }]);
}

const unreadable = { code: 'UNREADABLE', permanent: false };

for (const [format, request] of requests) {
  test(`rejects a missing ${format} file as UNREADABLE, not as damaged`, async () => {
    await assert.rejects(queue.request('owner', { ...request, path: join(folder, 'vanished') }), unreadable);
    await queue.request('owner', request);
  });
}

test('rejects a folder as UNREADABLE, not as damaged', async () => {
  for (const [, request] of requests)
    await assert.rejects(queue.request('owner', { ...request, path: folder }), unreadable);
});

test('reports UNREADABLE, not damage, if a decoder has no free file descriptors', async () => {
  for (const [format, request] of requests) {
    await queue.request('owner', request);
    {
      using _ = limitOpenFiles(queue.childPids()[0]!);
      await assert.rejects(queue.request('owner', request), unreadable, format);
    }
    const { warnings } = await queue.request('owner', request);
    assert.deepEqual(warnings, [], format);
  }
});

test('rejects the transcode of a vanished video as UNREADABLE', async () => {
  const options = { maxPixels: 1e6, onProgress: () => {}, signal: new AbortController().signal };
  for (const method of ['transcode', 'remux'] as const) {
    const missing = transcodeVideo(join(folder, 'vanished'), join(folder, 'target.mp4'), {
      ...options,
      method,
    });
    await assert.rejects(missing, unreadable);
  }
});

test('throws if a file is truncated while it is read', async () => {
  const path = join(folder, 'shrinking');
  await writeFile(path, Buffer.alloc(5_000_000));
  await assert.rejects(
    readCompletely(path, () => truncateSync(path, 1_000)),
    /ends after 1048576 of 5000000/,
  );
  await truncate(path, 0);
  await readCompletely(path);
});
