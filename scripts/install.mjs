// Runs on any Node from 20 and without node_modules: it is what makes them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNodeProgram, whatIsWrongWith } from './pinnedNode.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

const stamp = join(root, 'node_modules', '.installed-lock');

/** Installs what the lock file names, if it has changed since the last time, and answers the path of the pinned Node. */
export const install = () => {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    console.log('Installing dependencies (once, and after updates; this takes about a minute) …');
    const { status } = spawnSync('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      // FFmpeg's libraries come with node-av; its program, which its install script would fetch from GitHub, nobody runs. Likewise the libraries
      // of CUDA, which that of onnxruntime-node would fetch from NuGet; npm 10 does not know that package.json keeps both from running.
      env: { ...process.env, SKIP_FFMPEG: 'true', ONNXRUNTIME_NODE_INSTALL: 'skip' },
    });
    if (status !== 0) fail('npm ci failed: see its message above.');
    // Once, before it is run for the first time: whoever can change it later can change this check too.
    const program = findNodeProgram(root);
    const wrong = program && whatIsWrongWith(program);
    if (wrong) fail(`${wrong}\nIt was not run. Delete node_modules, and find out where it has come from.`);
    writeFileSync(stamp, lock);
  }
  return findPinnedNode();
};

const findPinnedNode = () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const found = existsSync(node) ? spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() : undefined;
  if (found === `v${devDependencies.node}`) return node;
  fail(
    `Hearth runs on Node.js ${devDependencies.node}, which comes with the npm package "node", and ` +
      `${found === undefined ? 'node_modules/.bin/node is not there' : `node_modules/.bin/node is ${found}`}.\n` +
      'Its install script was not run: "npm config get ignore-scripts" must say false. Then delete node_modules and try again.',
  );
};

const fail = (message) => {
  console.error(message);
  process.exit(1);
};
