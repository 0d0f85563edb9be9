import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

const folder = await mkdtemp(join(tmpdir(), 'hearth-remove-tree-'));
after(() => rm(folder, { recursive: true }));

/** A user other than root, because root can open all folders. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
if (nobody !== undefined) await chown(folder, nobody.uid, nobody.gid);
await chmod(folder, 0o755);

/** Runs a program as a user other than root, in the folder of this test. */
const run = (program: string) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `import fs from 'node:fs'; ${program}`], {
    cwd: folder,
    ...nobody,
  });

const removeTree = `
  const { removeTree } = await import(${JSON.stringify(new URL('removeTree.ts', import.meta.url).href)});
  await removeTree(${JSON.stringify(join(folder, 'sandbox'))});`;

/** Programs that create what a malicious child may leave in its sandbox. */
const trees: Readonly<Record<string, string>> = {
  'a tree 10,000 folders deep': `let at = fs.openSync('.');
    for (let i = 0; i < 10_000; i++) {
      const [above, next] = [at, '/proc/self/fd/' + at + '/d'];
      fs.mkdirSync(next);
      at = fs.openSync(next);
      fs.closeSync(above);
    }`,
  'folders without permissions': `fs.mkdirSync('a/b/c', { recursive: true }); fs.writeFileSync('a/b/c/file', 'x');
    for (const path of ['a/b/c', 'a/b', 'a', '.']) fs.chmodSync(path, 0);`,
  'names that are not valid text': `const name = (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]);
    fs.mkdirSync(name('folder')); fs.writeFileSync(Buffer.concat([name('folder'), Buffer.from('/'), name('file')]), 'x');`,
  'a link to a folder outside': `fs.mkdirSync('a'); fs.symlinkSync(${JSON.stringify(import.meta.dirname)}, 'a/link');
    fs.chmodSync('a', 0);`,
};

for (const [what, make] of Object.entries(trees)) {
  test(`removes ${what}`, async () => {
    await run(`fs.mkdirSync('sandbox'); process.chdir('sandbox'); ${make}`);
    assert.ok(existsSync(join(folder, 'sandbox')));
    await run(removeTree);
    assert.deepEqual(await readdir(folder), []);
    assert.ok(existsSync(import.meta.filename));
  });
}

test('ignores a missing folder', async () => {
  await run(removeTree);
});
