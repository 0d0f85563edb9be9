import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFrozenTime, metadataBombs } from '@hearth/testkit/media/makeBombs.ts';
import { openConfinement } from '../sandbox/confinement/confinement.ts';
import { makeFlatImage } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { openTestExiftool } from '@hearth/testkit/decoders/testDecoders.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-exiftool-hostile-'));
const confinement = await openConfinement({ dataDirectory: folder, scratchDirectory: folder });
const exiftool = await openTestExiftool({ timeoutMs: 60_000, maxProcs: 1, confinement });
after(async () => {
  await exiftool.end();
  await rm(folder, { recursive: true });
});

const photo = join(folder, 'photo.jpg');
await writeFile(
  photo,
  await makeFlatImage('#808080')
    .withExif({ IFD0: { Make: 'TestCam' } })
    .jpeg()
    .toBuffer(),
);

/** Peak resident memory of a process, in kB. */
const peakKb = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);

for (const [name, makeBomb] of Object.entries(metadataBombs)) {
  test(`limits memory and output for a file that contains ${name}, and reads the next file`, async () => {
    const path = join(folder, 'bomb.png');
    await writeFile(path, makeBomb());
    // exiftool may reject the file or return a few tags. This test checks only its resource use.
    const tags = await exiftool.read(path, 'image/png').catch((error: unknown) => {
      assert.ok(error instanceof Error && 'permanent' in error && 'code' in error, String(error));
      assert.deepEqual([error.code, error.permanent], ['TOO_LARGE', true]);
      return {};
    });
    assert.ok(JSON.stringify(tags).length < 100_000);
    assert.equal((await exiftool.read(photo, 'image/jpeg'))['IFD0:Make'], 'TestCam');
    for (const pid of exiftool.childPids())
      assert.ok((await peakKb(pid)) < 150_000, 'a process that has grown is replaced');
  });
}

test('sets resource limits on exiftool, and makes it the first to be killed when memory runs out', async () => {
  await exiftool.read(photo, 'image/jpeg');
  const [pid] = exiftool.childPids();
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
  const softLimit = (name: string): number => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(limits)?.[1]);
  assert.equal(softLimit('Max address space'), 400_000 * 1024);
  assert.equal(softLimit('Max cpu time'), 60);
  assert.equal(softLimit('Max open files'), 64);
  assert.equal(softLimit('Max core file size'), 0);
  assert.ok(softLimit('Max file size') <= 256 * 1024 * 1024);
  assert.equal(Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')), 1000);
});

test('truncates long values that could freeze a parser', async () => {
  const path = join(folder, 'time.png');
  await writeFile(path, makeFrozenTime());
  const tags = await exiftool.read(path, 'image/png');
  assert.ok(Object.values(tags).every((value) => String(value).length <= 4096));
});

test('rejects a file that keeps exiftool busy forever when its CPU time is used up', async (t) => {
  const executable = join(folder, 'endless');
  const perl = `#!/usr/bin/perl
    $| = 1;
    if ("@ARGV" eq '-ver') { print "13.00\\n"; exit }
    my @asked;
    while (my $line = <STDIN>) {
      chomp $line;
      if ($line !~ /^-execute/) { push @asked, $line; next }
      unless ("@asked" =~ /^-ver/) { 1 while 1 }
      print "13.00\\n{ready}\\n";
      @asked = ();
    }`;
  await writeFile(executable, perl, { mode: 0o755 });
  const endlessProgram = await openTestExiftool({ timeoutMs: 300_000, maxProcs: 1, executable });
  t.after(() => endlessProgram.end());
  await assert.rejects(endlessProgram.read(photo), { code: 'TOO_LARGE', permanent: true, message: /timed out/ });
});
