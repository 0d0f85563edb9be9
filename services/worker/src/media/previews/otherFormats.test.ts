import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Codec, InputFormat } from 'node-av/lib';
import type { DecodeError } from '../errors/decodeError.ts';
import { photoFormats } from '../formats/photoFormats.ts';
import {
  makeOtherContainers,
  makeOtherPictures,
  makeOtherSounds,
  makeOtherStills,
  type OtherFile,
} from '@hearth/testkit/media/otherFormats.ts';
import { isSoundReadable } from '../transcode/encodedSound.ts';
import { openVideo } from '../video/openVideo.ts';
import { pictureDecoders, soundDecoders, videoContainers } from '../formats/videoFormats.ts';
import { openTestDecoders } from '@hearth/testkit/decoders/testDecoders.ts';

const decoders = openTestDecoders({ size: 1, timeoutMs: 30_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
const folder = await mkdtemp(join(tmpdir(), 'hearth-other-'));
after(async () => {
  await decoders.close();
  await rm(folder, { recursive: true });
});

/** Renders a video in a decoder child. Returns its name with `shown` or the error code. */
const describeOutcome = async ({ name, path }: OtherFile): Promise<string> =>
  decoders.renderVideo(path).then(
    () => `${name} shown`,
    ({ code }: DecodeError) => `${name} ${code}`,
  );

const toUnsupported = ({ name }: OtherFile): string => `${name} UNSUPPORTED`;

test('rejects a video with a codec not on the allow list, in any container', async () => {
  const files = await makeOtherPictures(folder);
  assert.ok(files.length > 60, `${files.length} codecs could be written`);
  assert.deepEqual(await Array.fromAsync(files, describeOutcome), files.map(toUnsupported));
});

test('rejects a video in a container not on the allow list', async () => {
  const files = await makeOtherContainers(folder);
  assert.ok(files.length > 15, `${files.length} containers could be written`);
  assert.deepEqual(await Array.fromAsync(files, describeOutcome), files.map(toUnsupported));
});

test('rejects a picture of a format not on the allow list', async () => {
  const written = await makeOtherStills(folder);
  assert.ok(written.length > 15, `${written.length} formats could be written`);
  const files = [...written, ...(await writeOtherFiles())];
  const outcomes = await Array.fromAsync(files, async ({ name, path }) =>
    decoders.renderPhoto(path).then(
      () => `${name} shown`,
      ({ code }: DecodeError) => `${name} ${code}`,
    ),
  );
  // JPEG-LS and lossless JPEG have the signature of JPEG, but libjpeg cannot read them.
  const expected = files.map((file) =>
    /^(jpegls|ljpeg)$/.test(file.name) ? `${file.name} CORRUPT` : toUnsupported(file),
  );
  assert.deepEqual(outcomes, expected);
});

/** Writes files of formats that libvips reads, but that are not on the allow list. */
async function writeOtherFiles(): Promise<OtherFile[]> {
  const others = {
    vips: Buffer.concat([Buffer.from('08f2a6b6', 'hex'), Buffer.alloc(2_000)]),
    svg: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="9" height="9"/></svg>',
    ),
    pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
    csv: Buffer.from('1,2,3\n4,5,6\n'),
  };
  return Promise.all(
    Object.entries(others).map(async ([name, bytes]) => {
      const path = join(folder, `other.${name}`);
      await writeFile(path, bytes);
      return { name, path };
    }),
  );
}

test('leaves out audio with a codec not on the allow list', async () => {
  const files = await makeOtherSounds(folder);
  assert.ok(files.length > 5, `${files.length} codecs could be written`);
  for (const { name, path } of files) {
    await using video = await openVideo(path, 1e6);
    assert.equal(video.hasSound, true, name);
    assert.equal(await isSoundReadable(path, video.sound?.index ?? 1, 1e6), false, name);
  }
});

test('lists only names that FFmpeg knows', () => {
  const decoderNames = [
    ...Object.keys({ ...pictureDecoders, ...soundDecoders }),
    ...Object.values(photoFormats).flatMap<string>(({ codecs }) => codecs),
  ];
  const demuxers = Object.values(videoContainers).flatMap((container) => container.demuxers.split(','));
  assert.deepEqual(
    decoderNames.filter((name) => Codec.findDecoderByName(name as never) === null),
    [],
  );
  assert.deepEqual(
    demuxers.filter((name) => InputFormat.findInputFormat(name) === null),
    [],
  );
});
