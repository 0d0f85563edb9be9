import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { limitCommand } from '@hearth/worker/media/sandbox/confinement/childLimits.ts';
import type { Sandbox } from '@hearth/worker/media/sandbox/confinement/sandbox.ts';

/** Maximum size of a file that the program writes, in bytes. */
const fileBytes = 1e6;

/**
 * Perl program that uses disk space in ways that a file size limit does not cover, and prints the successful attempts.
 * Its numbers are the mode FALLOC_FL_KEEP_SIZE (1), the command FS_IOC_RESVSP64 (0x4030582a), and the flag O_TMPFILE
 * without O_DIRECTORY (0x400000). They are the same on x64 and arm64.
 */
const program = `
  use POSIX; $SIG{XFSZ} = 'IGNORE';
  my ($made, $fallocate) = @ARGV;
  my ($folder) = $made =~ m{(.*)/};
  my @got;
  sub attempt { my ($name, $act) = @_; push @got, $name if $act->() }
  open(my $file, '+>', $made) or die $!;
  attempt('a file', sub { syswrite($file, 'x') });
  attempt('a longer file', sub { sysseek($file, 2e6, 0) && syswrite($file, 'x') });
  attempt('space after its end', sub { syscall($fallocate, fileno $file, 1, 0, 2e6) == 0 });
  attempt('space by a command', sub { ioctl($file, 0x4030582a, pack('s2x4q2lLl4', 0, 0, 0, 2e6, (0) x 6)) });
  attempt('a second file', sub { open(my $f, '>', "$made-2") });
  attempt('a file without a name', sub { sysopen(my $f, $folder, 0x400000 | O_DIRECTORY | O_RDWR) });
  attempt('a folder', sub { mkdir "$made-3" });
  attempt('a link', sub { symlink('/', "$made-4") });
  attempt('a second name', sub { link($made, "$made-5") });
  attempt('another name', sub { rename($made, "$made-6") && rename("$made-6", $made) });
  attempt('a file without a directory entry', sub { unlink $made });
  print join ',', @got;
`.replaceAll('O_DIRECTORY', process.arch === 'arm64' ? '0x4000' : '0x10000');

/** Returns the attempts to use disk space that succeed for a compromised program in a sandbox. */
export async function exhaustDisk(sandbox: Sandbox): Promise<readonly string[]> {
  const fallocate = process.arch === 'arm64' ? '47' : '285';
  const command = sandbox.confine(['/usr/bin/perl', '-e', program, sandbox.getOutputPath('made'), fallocate]);
  const [file, ...args] = limitCommand(command, { openFiles: 64, fileBytes });
  try {
    return (await promisify(execFile)(file, args, { env: { LANG: 'C' } })).stdout.split(',');
  } finally {
    await sandbox.remove();
  }
}

/** All attempts of the program except `a longer file`, which fails even without a sandbox. */
export const diskAttempts = [
  'a file',
  'space after its end',
  'space by a command',
  'a second file',
  'a file without a name',
  'a folder',
  'a link',
  'a second name',
  'another name',
  'a file without a directory entry',
] as const;
