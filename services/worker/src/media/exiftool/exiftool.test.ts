import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, mkdtemp, open as openFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { ToolMissingError } from './exiftool.ts';
import { createMemoryBudget } from '../sandbox/processes/memoryBudget.ts';
import { limitOpenFiles } from '@hearth/testkit/decoders/limitOpenFiles.ts';
import { makeTruncatedRaf } from '@hearth/testkit/media/makeBombs.ts';
import { makeFlatImage } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { type TestExiftool, openTestExiftool } from '@hearth/testkit/decoders/testDecoders.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-exiftool-'));
const photo = join(folder, 'photo.jpg');
const exif = { IFD0: { Make: 'TestCam' }, IFD2: { ExposureTime: '1/50', DateTimeOriginal: '2023:05:06 07:08:09' } };
await writeFile(photo, await makeFlatImage('#808080').withExif(exif).jpeg().toBuffer());
after(() => rm(folder, { recursive: true }));

/** A fake exiftool that allocates 200 MB per file and never responds. */
const memoryHogExiftool = join(folder, 'hungry');
await writeFile(
  memoryHogExiftool,
  `#!/usr/bin/perl
  $| = 1;
  if ("@ARGV" eq '-ver') { print "13.00\\n"; exit }
  my (@asked, $taken);
  while (my $line = <STDIN>) {
    chomp $line;
    if ($line !~ /^-execute/) { push @asked, $line; next }
    if ("@asked" =~ /^-ver/) { print "13.00\\n{ready}\\n"; @asked = (); next }
    $taken = 'x' x 200e6;
    sleep 1 while 1;
  }`,
  { mode: 0o755 },
);

async function open(t: TestContext, timeoutMs = 30_000): Promise<TestExiftool> {
  const exiftool = await openTestExiftool({ timeoutMs, maxProcs: 1 });
  t.after(() => exiftool.end());
  return exiftool;
}

test('reads tags with their groups and unformatted values', async (t) => {
  const tags = await (await open(t)).read(photo);
  assert.equal(tags['IFD0:Make'], 'TestCam');
  assert.equal(tags['ExifIFD:ExposureTime'], 0.02);
  assert.equal(tags['ExifIFD:DateTimeOriginal'], '2023:05:06 07:08:09');
  assert.deepEqual([tags['File:ImageWidth'], tags['File:ImageHeight']], [400, 300]);
});

test('reads the same position and GPS time with the faster arguments for JPEG', async (t) => {
  const path = join(folder, 'placed.jpg');
  const position = {
    GPSLatitudeRef: 'S',
    GPSLatitude: '33/1 30/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '151/1 15/1 0/1',
  };
  const clock = { GPSDateStamp: '2019:06:09', GPSTimeStamp: '9/1 58/1 58/1' };
  await writeFile(
    path,
    await makeFlatImage('#808080')
      .withExif({ IFD3: { ...position, ...clock } })
      .jpeg()
      .toBuffer(),
  );
  const exiftool = await open(t);
  const [allTags, jpegTags] = [await exiftool.read(path), await exiftool.read(path, 'image/jpeg')];
  for (const name of ['GPSLatitude', 'GPSLongitude', 'GPSDateTime'].map((each) => `Composite:${each}`)) {
    assert.notEqual(allTags[name], undefined, name);
    assert.equal(jpegTags[name], allTags[name], name);
  }
});

/** Reads a file, then stops the process. */
async function hangExiftool(exiftool: TestExiftool): Promise<number> {
  await exiftool.read(photo);
  const pid = exiftool.childPids()[0]!;
  process.kill(pid, 'SIGSTOP');
  return pid;
}

test('gives up a read at its timeout, and reads the next file', async (t) => {
  const exiftool = await open(t, 2000);
  const hung = await hangExiftool(exiftool);
  await assert.rejects(exiftool.read(photo), { code: 'TIMED_OUT', permanent: false });
  assert.equal((await exiftool.read(photo))['IFD0:Make'], 'TestCam');
  assert.ok(!exiftool.childPids().includes(hung));
});

test('extends the timeout by `timeoutFactor`', async (t) => {
  const exiftool = await open(t, 300);
  await hangExiftool(exiftool);
  const begin = performance.now();
  await assert.rejects(exiftool.forOwner('owner', 5).read(photo), { code: 'TIMED_OUT' });
  const elapsedMs = performance.now() - begin;
  assert.ok(elapsedMs >= 1_500, `${elapsedMs} ms`);
});

test('ends an exiftool above the memory left by decoders, with a retryable error', async (t) => {
  const budget = createMemoryBudget(150e6);
  const decoder = {};
  budget.isExceededBy(decoder, 100e6);
  const exiftool = await openTestExiftool({ timeoutMs: 30_000, maxProcs: 1, budget, executable: memoryHogExiftool });
  t.after(() => exiftool.end());
  await assert.rejects(exiftool.read(photo), { code: 'OUT_OF_MEMORY', permanent: false });
  assert.equal(budget.isExceededBy(decoder, 149e6), false, 'an ended process does not count');
});

test('counts an idle exiftool towards the shared memory limit', async (t) => {
  const budget = createMemoryBudget(150e6);
  const exiftool = await openTestExiftool({ timeoutMs: 30_000, maxProcs: 1, budget });
  t.after(() => exiftool.end());
  await exiftool.read(photo);
  await waitUntil('the idle exiftool is counted', () => budget.isExceededBy(exiftool, 149e6));
});

test('fails as UNREADABLE, not with empty metadata, if exiftool has no free file descriptors', async (t) => {
  const exiftool = await open(t);
  await exiftool.read(photo);
  {
    using _ = limitOpenFiles(exiftool.childPids()[0]!);
    for (const mimeType of ['image/jpeg', 'image/heic', 'video/mp4'])
      await assert.rejects(exiftool.read(photo, mimeType), { code: 'UNREADABLE', permanent: false });
  }
  assert.equal((await exiftool.read(photo))['IFD0:Make'], 'TestCam');
});

test('fails only the active file when a process is killed', async (t) => {
  const exiftool = await open(t);
  await exiftool.read(photo);
  const [pid] = exiftool.childPids();
  const pipe = join(folder, 'pipe.jpg');
  execFileSync('mkfifo', [pipe]);
  const first = assert.rejects(exiftool.read(pipe), { code: 'CRASHED', permanent: false });
  const second = exiftool.read(photo);
  // Opens once exiftool has opened the other end, which then waits for bytes.
  await using _ = await openFile(pipe, 'w');
  process.kill(pid!, 'SIGKILL');
  await first;
  assert.equal((await second)['IFD0:Make'], 'TestCam');
});

test('fails a file that crashes exiftool as CORRUPT, and reads the next file', async (t) => {
  const path = join(folder, 'truncated.raf');
  await writeFile(path, makeTruncatedRaf());
  const exiftool = await open(t);
  await assert.rejects(exiftool.read(path), { code: 'CORRUPT', permanent: true });
  assert.equal((await exiftool.read(photo))['IFD0:Make'], 'TestCam');
});

test('returns hardly any tags for a file of an unknown format', async (t) => {
  const path = join(folder, 'noise');
  await writeFile(path, Buffer.alloc(5000, 0x5a));
  assert.equal((await (await open(t)).read(path))['IFD0:Make'], undefined);
});

test('throws ToolMissingError if exiftool is missing', async () => {
  const opening = openTestExiftool({ timeoutMs: 1000, maxProcs: 1, executable: join(folder, 'nowhere') });
  await assert.rejects(opening, (error) => error instanceof ToolMissingError && error.tool === 'exiftool');
});

test('reads only the head of a 4 GB file with a trailer', async (t) => {
  const path = join(folder, 'large.jpg');
  await copyFile(photo, path);
  await truncate(path, 4 * 1024 ** 3);
  await appendFile(path, 'trailer');
  const exiftool = await open(t);
  await exiftool.read(photo);
  const [pid] = exiftool.childPids();
  const bytesRead = async () => Number(/rchar: (\d+)/.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1]);
  const before = await bytesRead();
  assert.equal((await exiftool.read(path))['IFD0:Make'], 'TestCam');
  assert.ok((await bytesRead()) - before < 10e6);
});
