import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { findPython, installByPip } from './pip.ts';

/** Every package, pinned. */
const requirements = join(import.meta.dirname, 'schemathesis.txt');

/** Schemathesis, which sends requests to an API as its OpenAPI document describes them, right and wrong ones. Needs Python 3.11. */
export const schemathesis: Recipe = {
  kind: 'made',
  version: '4.32.5',
  effort: '45 MB by pip',
  path: 'schemathesis',
  make: async (directory) => {
    await installByPip(
      directory,
      '--no-deps',
      `--target=${join(directory, 'packages')}`,
      `--requirement=${requirements}`,
    );
    const program = `#!/bin/sh\nPYTHONPATH="$(dirname "$0")/packages" exec '${findPython()}' -m schemathesis.cli "$@"\n`;
    await writeFile(join(directory, 'schemathesis'), program);
    await chmod(join(directory, 'schemathesis'), 0o755);
  },
};
