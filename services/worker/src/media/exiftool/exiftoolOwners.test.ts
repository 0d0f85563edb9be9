import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createSandbox, type Sandbox } from '../sandbox/confinement/sandbox.ts';
import { openConfinement, type Confinement } from '../sandbox/confinement/confinement.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { openExiftool, type ExiftoolOptions, type ExiftoolPool } from './exiftool.ts';
import { makeFlatImage } from '@hearth/testkit/mediaSet/renderBytes.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-exiftool-owners-'));
const [programs, scratchDirectory] = [join(folder, 'programs'), join(folder, 'data', 'scratch')];
for (const each of [programs, scratchDirectory]) await mkdir(each, { recursive: true });
after(() => rm(folder, { recursive: true }));

/** A compromised exiftool: it keeps everything it reads in memory, in open files and in its sandbox, and returns all that it finds there. */
const executable = join(programs, 'exiftool');
const program = `#!/usr/bin/perl
  $| = 1;
  if ("@ARGV" eq '-ver') { print "13.00\\n"; exit }
  my (@asked, %seen, @open);
  while (my $line = <STDIN>) {
    chomp $line;
    if ($line !~ /^-execute/) { push @asked, $line; next }
    if ("@asked" =~ /^-ver/) { print "13.00\\n{ready}\\n"; @asked = (); next }
    my ($path) = grep { m{^/} } @asked;
    my ($box) = $path =~ m{(.*)/in/};
    my ($boxes) = $box =~ m{(.*)/};
    open(my $file, '<', $path); push @open, $file;
    open(my $kept, '>', "$box/out"); print {$kept} <$file>; close $kept;
    for my $found (glob("$boxes/*/in/* $boxes/*/out /proc/self/fd/*")) {
      next unless -f $found && open(my $f, '<', $found);
      my $text = <$f>; $seen{$text} = 1 if $text =~ /^secret/;
    }
    my $all = join ',', sort keys %seen;
    print "[{\\"SourceFile\\":\\"$path\\",\\"XMP:Seen\\":\\"$all\\"}]\\n{ready}\\n";
    @asked = ();
  }`;
await writeFile(executable, program, { mode: 0o755 });
const confinement = await openConfinement({
  dataDirectory: join(folder, 'data'),
  scratchDirectory,
  exiftool: executable,
});
const lacksConfinement = confinement.kind === 'none' && confinement.failures.join();

const options: ExiftoolOptions = { timeoutMs: 30_000, maxProcs: 1, confinement };

let files = 0;
const readPath = async (exiftool: ExiftoolPool, ownerId: string, text: string): Promise<string> => {
  const path = join(scratchDirectory, `original-${(files += 1)}`);
  await writeFile(path, text);
  return String((await exiftool.forOwner(ownerId).read(path, 'image/heic'))['XMP:Seen']);
};

test('shows a compromised exiftool no file of another owner', { skip: lacksConfinement }, async (t) => {
  const exiftool = await openExiftool({ ...options, executable });
  t.after(() => exiftool.end());
  assert.equal(await readPath(exiftool, 'Ada', 'secret 1 of Ada'), 'secret 1 of Ada');
  const both = 'secret 1 of Ada,secret 2 of Ada';
  assert.equal(await readPath(exiftool, 'Ada', 'secret 2 of Ada'), both, 'exiftool kept the first secret');
  assert.equal(await readPath(exiftool, 'Ben', 'secret of Ben'), 'secret of Ben');
  assert.equal(await readPath(exiftool, 'Ada', 'secret 3 of Ada'), `${both},secret 3 of Ada`);
  for (let i = 1; i <= 4; i += 1) assert.equal(await readPath(exiftool, `owner ${i}`, `secret ${i}`), `secret ${i}`);
  assert.equal(exiftool.childPids().length, 3, 'keeps the most recently used processes');
});

test(
  'replaces an exiftool after more than 4 GiB of input, because it may have kept all of it',
  { skip: lacksConfinement },
  async (t) => {
    const exiftool = await openExiftool({ ...options, executable: undefined });
    t.after(() => exiftool.end());
    const path = join(scratchDirectory, 'large.jpg');
    await writeFile(path, await makeFlatImage('#808080').jpeg().toBuffer());
    await exiftool.forOwner('Ada').read(path, 'image/jpeg');
    const [before] = exiftool.childPids();
    await truncate(path, 2.5 * 1024 ** 3);
    await exiftool.forOwner('Ada').read(path, 'image/jpeg');
    assert.deepEqual(exiftool.childPids(), [before]);
    await exiftool.forOwner('Ada').read(path, 'image/jpeg');
    assert.deepEqual(exiftool.childPids(), []);
  },
);

test('replaces an exiftool whose sandbox cannot be emptied, and reads the next file', async () => {
  const sandboxes: Sandbox[] = [];
  const recording: Confinement = {
    ...confinement,
    createSandbox: (use) => {
      const sandbox = createSandbox(join(scratchDirectory, `recorded-${sandboxes.length}`), use, {
        confine: (command) => command,
        processes: 1,
      });
      sandboxes.push(sandbox);
      return sandbox;
    },
  };
  const exiftool = await openExiftool({ ...options, confinement: recording });
  const photo = join(folder, 'photo.jpg');
  const exif = { IFD0: { Make: 'TestCam' } };
  await writeFile(photo, await makeFlatImage('#808080').withExif(exif).jpeg().toBuffer());
  const exiftoolOfAda = exiftool.forOwner('Ada');
  await exiftoolOfAda.read(photo, 'image/jpeg');
  const [before] = exiftool.childPids();
  await mkdir(join(dirname(sandboxes.at(-1)!.getOutputPath('x')), 'in/a/b/c'), { recursive: true });
  // On a slow machine the sandbox is checked during this file, which then fails. A retry reads it.
  await exiftoolOfAda.read(photo, 'image/jpeg').catch((error: unknown) => {
    assert.ok(error instanceof DecodeError && !error.permanent, String(error));
  });
  assert.equal((await exiftoolOfAda.read(photo, 'image/jpeg'))['IFD0:Make'], 'TestCam');
  assert.notEqual(exiftool.childPids()[0], before);
  await exiftool.end();
  assert.deepEqual(
    (await readdir(scratchDirectory)).filter((name) => name.startsWith('recorded')),
    [],
  );
});
