import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

/** The folders in the order in which they may import one another: each only the folders before it. */
const folders = ['api', 'decide', 'cluster', 'observe', 'apply', 'status'];

const src = fileURLToPath(new URL('.', import.meta.url));

test('a folder imports only the folders before it, and never main.ts and the other files beside the folders', () => {
  const wrong = globSync(`{${folders.join()}}/*.ts`, { cwd: src })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...readFileSync(`${src}/${file}`, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => ({
        file,
        imported: posix.join(posix.dirname(file), path),
      })),
    )
    .filter(({ file, imported }) => {
      const place = folders.indexOf(posix.dirname(imported));
      return place === -1 || place > folders.indexOf(posix.dirname(file));
    });
  assert.deepEqual(wrong, []);
});
