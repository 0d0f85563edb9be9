import { execFileSync } from 'node:child_process';
import { findProgram, installDebianPackage } from './debianPackage.ts';
import type { Recipe } from './installTools.ts';
import { runCommand } from './runCommand.ts';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Installs PyPI packages that need no compiler, and pip itself if it is missing. `directory` is for temporary files.
 */
export const installByPip = async (directory: string, ...args: readonly string[]): Promise<void> => {
  if (findProgram('pip3')() === undefined) await installDebianPackage('python3-pip', directory);
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile', '--only-binary=:all:'];
  await runCommand([findPython(), '-m', 'pip', 'install', ...options, ...args]);
};

/** Recipe for a PyPI package with a ready-to-run program of the same name. */
export const pythonProgram = (name: string, version: string): Recipe => ({
  kind: 'made',
  version,
  effort: 'by pip',
  path: `bin/${name}`,
  make: (directory) => installByPip(directory, '--no-deps', `--target=${directory}`, `${name}==${version}`),
});

/** Returns the path of Python. @throws Error if it is not installed */
export const findPython = (): string => {
  try {
    return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  } catch (cause) {
    throw new Error('python3 is not installed', { cause });
  }
};

/** PyPI packages of the reference implementation of the models. onnxruntime has the version of the npm package. */
const onnxruntimePackages = ['onnxruntime==1.30.0', 'numpy==2.4.6'];

/** Installed without its dependencies, which include a Hugging Face client that is not needed here. */
const tokenizersPackage = ['--no-deps', 'tokenizers==0.22.1'];

/** Python with onnxruntime, numpy and tokenizers. `path` is a program with the arguments of python3. */
export const pythonOnnxruntime: Recipe = {
  kind: 'made',
  version: '1.30.0-2',
  effort: '45 MB from pip',
  path: 'python',
  make: async (directory) => {
    for (const wanted of [onnxruntimePackages, tokenizersPackage])
      await installByPip(directory, `--target=${join(directory, 'packages')}`, ...wanted);
    // The path is relative because the folder is moved when complete. The packages work only with this Python, so its
    // path is fixed.
    const program = `#!/bin/sh\nPYTHONPATH="$(dirname "$0")/packages" PYTHONDONTWRITEBYTECODE=1 exec '${findPython()}' "$@"\n`;
    await writeFile(join(directory, 'python'), program);
    await chmod(join(directory, 'python'), 0o755);
  },
};

/** Recipe for a Python module that runs as a program. `name`.txt lists its packages, all pinned. */
const pythonModule = (name: string, version: string, effort: string, module: string): Recipe => ({
  kind: 'made',
  version,
  effort,
  path: name,
  make: async (directory) => {
    const packages = `--target=${join(directory, 'packages')}`;
    const requirements = `--requirement=${join(import.meta.dirname, `${name}.txt`)}`;
    await installByPip(directory, '--no-deps', packages, requirements);
    const program = `#!/bin/sh\nPYTHONPATH="$(dirname "$0")/packages" exec '${findPython()}' -m ${module} "$@"\n`;
    await writeFile(join(directory, name), program);
    await chmod(join(directory, name), 0o755);
  },
});

/** Schemathesis, which sends valid and invalid requests generated from an OpenAPI document. Needs Python 3.11. */
export const schemathesis = pythonModule('schemathesis', '4.32.5', '45 MB from pip', 'schemathesis.cli');

/** towncrier, which collects changelog fragments. Needs Python 3.9. */
export const towncrier = pythonModule('towncrier', '26.9.0', 'by pip', 'towncrier');
