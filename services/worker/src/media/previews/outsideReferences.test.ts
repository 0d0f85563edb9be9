import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Dictionary, FormatContext, InputFormat } from 'node-av/lib';
import sharp from 'sharp';
import type { DecodeError } from '../errors/decodeError.ts';
import { makeFilesWithReferences } from '@hearth/testkit/media/filesWithReferences.ts';
import { makeVideo } from '@hearth/testkit/media/makeVideo.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { openTestDecoders } from '@hearth/testkit/decoders/testDecoders.ts';

const decoders = openTestDecoders({ size: 1, timeoutMs: 30_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
const folder = await mkdtemp(join(tmpdir(), 'hearth-references-'));
const requestedUrls: string[] = [];
const server = createServer((request, response) => {
  requestedUrls.push(request.url!);
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const film = join(folder, 'film.mov');
const picture = await sharp(await drawPhoto(64, 48))
  .removeAlpha()
  .png()
  .toBuffer();
await makeVideo(film, { pictures: [picture, picture], encoder: 'libx264' });
after(async () => {
  server.close();
  await decoders.close();
  await rm(folder, { recursive: true });
});

/** Writes files that refer to a secret file. The secret is a pipe: opening it for reading unblocks its writer, which detects the access. */
async function writeFilesWithReferences(name: string) {
  const secret = join(folder, `${name}-secret`);
  execFileSync('mkfifo', [secret]);
  let isTouched = false;
  const waitForReader = async (): Promise<void> => {
    await using _ = await open(secret, 'w');
    isTouched = true;
  };
  const watch = waitForReader();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
  const files = await makeFilesWithReferences(film, { secret, url });
  const paths = Object.keys(files).map((filename) => join(folder, `${name}-${filename}`));
  for (const [i, bytes] of Object.values(files).entries()) await writeFile(paths[i]!, bytes);
  return {
    paths,
    isTouched: () => isTouched,
    /** Resolves when the secret has been opened. */
    touched: watch,
    /** Unblocks a writer that still waits. */
    release: async () => {
      const reader = await open(secret, constants.O_RDONLY | constants.O_NONBLOCK);
      await watch;
      await reader.close();
    },
  };
}

test('rejects files that refer to other files or URLs, without opening these', async () => {
  const { paths, isTouched, release } = await writeFilesWithReferences('refused');
  for (const path of paths) {
    const asVideo = await decoders.renderVideo(path).then(
      () => 'shown',
      ({ code }: DecodeError) => code,
    );
    const asPhoto = await decoders.renderPhoto(path).then(
      () => 'shown',
      ({ code }: DecodeError) => code,
    );
    assert.match(asVideo, /^(UNSUPPORTED|CORRUPT)$/, path);
    assert.equal(asPhoto, 'UNSUPPORTED', path);
  }
  assert.deepEqual([isTouched(), requestedUrls], [false, []]);
  await release();
});

/** Opens a file with FFmpeg without restrictions on referenced files and URLs. */
const openReference = async (path: string, demuxer: string): Promise<void> => {
  const input = new FormatContext();
  using options = Dictionary.fromObject({
    enable_drefs: 1,
    use_absolute_path: 1,
    safe: 0,
    protocol_whitelist: 'file,http,tcp,crypto,data',
    allowed_extensions: 'ALL',
    extension_picky: 0,
  });
  await input.openInput(`file:${path}`, InputFormat.findInputFormat(demuxer), options);
  await input.closeInput();
};

test('opens the referenced files and URLs if FFmpeg has no allow lists', { timeout: 60_000 }, async () => {
  for (const [filename, demuxer] of [
    ['playlist.m3u8', 'hls'],
    ['concat.txt', 'concat'],
    ['outside.mov', 'mov'],
  ] as const) {
    const { paths, touched } = await writeFilesWithReferences(`followed-${demuxer}`);
    await openReference(
      paths.find((path) => path.endsWith(filename))!,
      demuxer,
    );
    await touched;
  }
  const { paths, release } = await writeFilesWithReferences('address');
  await openReference(
    paths.find((path) => path.endsWith('address.txt'))!,
    'concat',
  );
  assert.ok(requestedUrls.includes('/address'));
  await release();
});
