import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { findPython, installByPip } from './pip.ts';

/** The packages of PyPI that the second implementation of the models imports; onnxruntime in the version of npm's. */
const packages = ['onnxruntime==1.30.0', 'numpy==2.4.6'];

/** One of which nothing is used that needs other packages: it would bring a client of Hugging Face. */
const alone = ['--no-deps', 'tokenizers==0.22.1'];

/** Python with onnxruntime, numpy and tokenizers: `path` is a program that takes what python3 takes. */
export const pythonOnnxruntime: Recipe = {
  kind: 'made',
  version: '1.30.0-2',
  effort: '45 MB by pip',
  path: 'python',
  make: async (directory) => {
    for (const wanted of [packages, alone])
      await installByPip(directory, `--target=${join(directory, 'packages')}`, ...wanted);
    // The folder is moved when it is whole. The packages are those of this Python, and of no other one that is installed later.
    const program = `#!/bin/sh\nPYTHONPATH="$(dirname "$0")/packages" PYTHONDONTWRITEBYTECODE=1 exec '${findPython()}' "$@"\n`;
    await writeFile(join(directory, 'python'), program);
    await chmod(join(directory, 'python'), 0o755);
  },
};
