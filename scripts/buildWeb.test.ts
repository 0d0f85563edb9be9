import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { buildWeb } from './buildWeb.mjs';

/** Creates a temporary tree with the sources of a web app. */
const makeTree = async (t: TestContext) => {
  const root = await mkdtemp(join(tmpdir(), 'hearth-build-web-test-'));
  t.after(() => rm(root, { recursive: true }));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await write('services/web/index.html', '<!doctype html>');
  await write('services/web/src/pages/main.tsx', 'one');
  await write('services/contract/src/routes.ts', 'routes');
  await write('package-lock.json', '{}');
  return { root, write, dist: join(root, 'services/web/dist') };
};

/** Returns a `build` that writes the number of the build into its page. */
const countBuilds = () => {
  const builds = { count: 0 };
  const build = async (folder: string): Promise<void> => {
    builds.count += 1;
    await mkdir(folder);
    await writeFile(join(folder, 'index.html'), `build ${builds.count}`);
  };
  return { builds, build };
};

test('builds the web app once, and again when a source changes, appears or disappears', async (t) => {
  const { root, write, dist } = await makeTree(t);
  const { build } = countBuilds();
  assert.equal(await buildWeb(root, build), 'built');
  assert.equal(await buildWeb(root, build), 'unchanged');
  let count = 1;
  const expectBuild = async (what: string): Promise<void> => {
    assert.equal(await buildWeb(root, build), 'built', what);
    assert.equal(await buildWeb(root, build), 'unchanged', what);
    assert.equal(await readFile(join(dist, 'index.html'), 'utf8'), `build ${++count}`, what);
  };
  for (const path of [
    'services/web/src/pages/main.tsx',
    'services/web/public/icon.svg',
    'services/web/vite.config.ts',
    'services/contract/src/routes.ts',
    'package-lock.json',
  ]) {
    await write(path, 'changed');
    await expectBuild(path);
  }
  await rm(join(root, 'services/web/public/icon.svg'));
  await expectBuild('a deleted file');
  await rm(dist, { recursive: true });
  await expectBuild('a deleted build');
  await write('services/api/src/main.ts', 'changed');
  await write('services/web/node_modules/x/index.js', 'changed');
  assert.equal(await buildWeb(root, build), 'unchanged');
  assert.deepEqual((await readdir(dirname(dist))).toSorted(), [
    'dist',
    'index.html',
    'node_modules',
    'public',
    'src',
    'vite.config.ts',
  ]);
});

const failBuild = async (folder: string): Promise<void> => {
  await mkdir(folder);
  await writeFile(join(folder, 'index.html'), 'half');
  throw new Error('out of memory');
};

test('never serves a failed or interrupted build, and keeps the previous one', async (t) => {
  const { root, write, dist } = await makeTree(t);
  const { build } = countBuilds();
  await assert.rejects(buildWeb(root, failBuild), /out of memory/);
  assert.ok(!existsSync(dist) && !existsSync(`${dist}.new`));
  assert.equal(await buildWeb(root, build), 'built');
  await write('services/web/src/pages/main.tsx', 'two');
  await assert.rejects(buildWeb(root, failBuild), /out of memory/);
  assert.equal(await readFile(join(dist, 'index.html'), 'utf8'), 'build 1');
  assert.equal(await buildWeb(root, build), 'built');
  assert.equal(await readFile(join(dist, 'index.html'), 'utf8'), 'build 2');
});

test('does nothing in a tree without a web app', async (t) => {
  const { root } = await makeTree(t);
  await rm(join(root, 'services/web'), { recursive: true });
  const { builds, build } = countBuilds();
  assert.equal(await buildWeb(root, build), 'none');
  assert.equal(builds.count, 0);
});
