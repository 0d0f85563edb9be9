import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { runCommand } from './runCommand.ts';

/** A program of the system, whose packages are installed by apt-get where it is missing and this process may do so. */
export const debianPackage = (packages: string, find: () => string | undefined): Recipe => ({
  kind: 'system',
  find,
  install: (directory) => installDebianPackage(packages, directory),
});

/**
 * Installs packages, named with spaces between them, without starting what is in them.
 * @throws Error that says what to do, where this process may not
 */
export const installDebianPackage = async (packages: string, directory: string): Promise<void> => {
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`install "${packages}" by the package manager of this system`);
  if (process.getuid?.() !== 0) throw new Error(`sudo apt-get install ${packages}`);
  await runCommand(['apt-get', 'update', '--quiet']);
  await runCommand(
    [
      'apt-get',
      'install',
      '--yes',
      '--no-install-recommends',
      '--option=DPkg::Lock::Timeout=300',
      `--option=DPkg::Path=${await makeServiceStarters(directory)}:${systemPath}`,
      ...packages.split(' '),
    ],
    { env: { DEBIAN_FRONTEND: 'noninteractive' } },
  );
};

/**
 * What a package holds, unpacked into a folder of its own: that needs no root once the system knows its packages, starts no service, and brings
 * none of what the package depends on. `path` is that of the tool in it.
 */
export const unpackedPackage = (name: string, path: string): Recipe => ({
  kind: 'made',
  version: 'system',
  effort: "downloaded from the system's package archive",
  path,
  make: async (directory) => {
    if (!existsSync('/usr/bin/apt-get')) throw new Error('it is taken from the packages of Debian or Ubuntu');
    if (process.getuid?.() === 0) await runCommand(['apt-get', 'update', '--quiet']);
    await runCommand(['apt-get', 'download', name], { directory });
    for (const file of await readdir(directory)) {
      await runCommand(['dpkg-deb', '--extract', file, '.'], { directory });
      await rm(join(directory, file));
    }
  },
});

/** Finds the first of some programs, also where only root looks for it. */
export const findProgram =
  (...names: readonly string[]) =>
  (): string | undefined =>
    names
      .flatMap((name) =>
        [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)),
      )
      .find((path) => existsSync(path));

/** Finds the programs of the oldest PostgreSQL from 15 on that Debian or Ubuntu has installed and that is without pgvector. */
export const findPlainPostgres = (): string | undefined =>
  (existsSync(postgresFolder) ? readdirSync(postgresFolder) : [])
    .filter((version) => Number(version) >= 15)
    .toSorted((a, b) => Number(a) - Number(b))
    .filter((version) => !existsSync(`/usr/share/postgresql/${version}/extension/vector.control`))
    .map((version) => join(postgresFolder, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')));

const postgresFolder = '/usr/lib/postgresql';

/** What apt gives packages as their PATH unless told otherwise. */
const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Packages start a server of theirs when they are installed, on a port that somebody may want. They do so by these programs, which do
 * nothing in the folder that this function makes and answers.
 */
const makeServiceStarters = async (parent: string): Promise<string> => {
  const directory = join(parent, 'no-services');
  await mkdir(directory);
  for (const name of ['invoke-rc.d', 'deb-systemd-invoke', 'pg_createcluster']) {
    await writeFile(join(directory, name), '#!/bin/sh\nexit 0\n');
    await chmod(join(directory, name), 0o755);
  }
  return directory;
};
