import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('passes arguments unchanged and disables core files', async () => {
  const source = `console.log(JSON.stringify(process.argv.slice(1)), require('node:fs').readFileSync('/proc/self/limits', 'utf8'))`;
  const words = ['two words', '$HOME', `it's "quoted"`, ''];
  const { stdout } = await promisify(execFile)('/bin/sh', [
    '-c',
    'ulimit -S -c unlimited 2> /dev/null; exec "$0" "$@"',
    process.execPath,
    'scripts/run.mjs',
    '-e',
    source,
    '--',
    ...words,
  ]);
  assert.deepEqual(JSON.parse(stdout.split(' Limit')[0]!), words);
  assert.match(stdout, /^Max core file size +0 +0 /m);
});
