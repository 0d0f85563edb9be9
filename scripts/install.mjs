// Runs on any Node from version 20, without node_modules, because it installs them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNodeProgram, explainMismatch } from './pinnedNode.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

const stamp = join(root, 'node_modules', '.installed-lock');

/** Installs the packages of the lock file if it has changed since the last run. Returns the path of the pinned Node. */
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
      // SKIP_FFMPEG skips the download of the FFmpeg program from GitHub; node-av brings the libraries and nothing runs
      // the program. ONNXRUNTIME_NODE_INSTALL skips the download of CUDA libraries from NuGet. npm 10 ignores the
      // setting in package.json that forbids both install scripts.
      env: { ...process.env, SKIP_FFMPEG: 'true', ONNXRUNTIME_NODE_INSTALL: 'skip' },
    });
    if (status !== 0) fail('npm ci failed; see its output above.');
    // The program is verified once, before its first run. A later check would be
    // pointless: an attacker who can change the program can also change this script.
    const program = findNodeProgram(root);
    const mismatch = program && explainMismatch(program);
    if (mismatch)
      fail(
        `${mismatch}\nIt was not executed. Find out where the file comes from, then delete node_modules and try again.`,
      );
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
      `${found === undefined ? 'node_modules/.bin/node is missing' : `node_modules/.bin/node is ${found}`}.\n` +
      'Its install script did not run: "npm config get ignore-scripts" must say false. Then delete node_modules and try again.',
  );
};

const fail = (message) => {
  console.error(message);
  process.exit(1);
};
