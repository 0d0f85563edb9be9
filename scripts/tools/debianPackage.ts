import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { runCommand } from './runCommand.ts';

/** Recipe for a system program. If it is missing, apt-get installs its packages, which needs root. */
export const debianPackage = (packages: string, find: () => string | undefined): Recipe => ({
  kind: 'system',
  find,
  install: (directory) => installDebianPackage(packages, directory),
});

/**
 * Installs space-separated packages without starting their services.
 * @throws Error with instructions if this process has no permission
 */
export const installDebianPackage = async (packages: string, directory: string): Promise<void> => {
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`install "${packages}" with the package manager of this system`);
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
 * Recipe that unpacks a Debian package into its own folder. Needs no root if the package lists exist, starts no
 * service, and skips dependencies. `path` is the tool's path in the package.
 */
export const unpackedPackage = (name: string, path: string): Recipe => ({
  kind: 'made',
  version: 'system',
  effort: "downloaded from the system's package archive",
  path,
  make: async (directory) => {
    if (!existsSync('/usr/bin/apt-get')) throw new Error('it is installed from packages of Debian or Ubuntu');
    if (process.getuid?.() === 0) await runCommand(['apt-get', 'update', '--quiet']);
    await runCommand(['apt-get', 'download', name], { directory });
    for (const file of await readdir(directory)) {
      await runCommand(['dpkg-deb', '--extract', file, '.'], { directory });
      await rm(join(directory, file));
    }
  },
});

/** Returns a function that finds the first existing program, also in root's /usr/sbin. */
export const findProgram =
  (...names: readonly string[]) =>
  (): string | undefined =>
    names
      .flatMap((name) =>
        [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)),
      )
      .find((path) => existsSync(path));

/** Returns the folder of the oldest installed PostgreSQL from version 15 that has no pgvector, on Debian or Ubuntu. */
export const findPlainPostgres = (): string | undefined =>
  (existsSync(postgresFolder) ? readdirSync(postgresFolder) : [])
    .filter((version) => Number(version) >= 15)
    .toSorted((a, b) => Number(a) - Number(b))
    .filter((version) => !existsSync(`/usr/share/postgresql/${version}/extension/vector.control`))
    .map((version) => join(postgresFolder, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')));

const postgresFolder = '/usr/lib/postgresql';

/** Default PATH of apt for package scripts. */
const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Creates stubs for the programs that start services when a package is installed. A started server
 * could occupy a needed port. Returns the folder of the stubs.
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
