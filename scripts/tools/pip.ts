import { execFileSync } from 'node:child_process';
import { findProgram, installDebianPackage } from './debianPackage.ts';
import type { Recipe } from './installTools.ts';
import { runCommand } from './runCommand.ts';

/** Installs packages of PyPI that need no compiler, and pip itself if it is missing; `directory` may be used meanwhile. */
export const installByPip = async (directory: string, ...args: readonly string[]): Promise<void> => {
  if (findProgram('pip3')() === undefined) await installDebianPackage('python3-pip', directory);
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile', '--only-binary=:all:'];
  await runCommand([findPython(), '-m', 'pip', 'install', ...options, ...args]);
};

/** A program that a package of PyPI brings ready to run, under the package's name. */
export const pythonProgram = (name: string, version: string): Recipe => ({
  kind: 'made',
  version,
  effort: 'by pip',
  path: `bin/${name}`,
  make: (directory) => installByPip(directory, '--no-deps', `--target=${directory}`, `${name}==${version}`),
});

/** The path of Python. @throws Error if it is not installed */
export const findPython = (): string => {
  try {
    return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  } catch (cause) {
    throw new Error('python3 is not installed', { cause });
  }
};
