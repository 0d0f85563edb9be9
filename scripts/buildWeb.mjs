// Runs on any Node from version 20, without node_modules, like install.mjs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const web = 'services/web';

/** Sources of the web app outside its own folder, relative to the root. */
const shared = ['services/contract/src', 'package-lock.json', 'tsconfig.json'];

/** File in a build with the hash of its sources, so that the next start can detect a stale build. */
const stamp = '.sources';

/**
 * Builds the web app below `root` into services/web/dist, unless the existing build has the same sources. A failed or
 * interrupted build leaves the existing one unchanged, so that a partial build is never served.
 * @param build writes the build into the given folder
 * @returns `built`, `unchanged`, or `none` if this tree has no web app
 * @throws any error of `build`
 */
export const buildWeb = async (root, build) => {
  if (!existsSync(join(root, web, 'index.html'))) return 'none';
  const [target, making, old] = ['dist', 'dist.new', 'dist.old'].map((name) => join(root, web, name));
  const sources = hashSources(root);
  if (existsSync(join(target, stamp)) && readFileSync(join(target, stamp), 'utf8') === sources) return 'unchanged';
  for (const folder of [making, old]) rmSync(folder, { recursive: true, force: true });
  try {
    await build(making);
    writeFileSync(join(making, stamp), sources);
    if (existsSync(target)) renameSync(target, old);
    renameSync(making, target);
  } finally {
    for (const folder of [making, old]) rmSync(folder, { recursive: true, force: true });
  }
  return 'built';
};

/** Hashes the names and bytes of all sources of a build. */
const hashSources = (root) => {
  const own = readdirSync(join(root, web), { withFileTypes: true });
  const folders = ['src', 'public'].filter((name) => existsSync(join(root, web, name)));
  const paths = [...own.filter((entry) => entry.isFile()).map(({ name }) => name), ...folders].map(
    (name) => `${web}/${name}`,
  );
  const hash = createHash('sha256');
  const files = [...paths, ...shared].flatMap((path) => listFiles(root, path));
  for (const path of files.toSorted((one, other) => (one < other ? -1 : 1))) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
};

/** Returns the file itself, or all files below a folder, relative to the root. */
const listFiles = (root, path) => {
  const entries = existsSync(join(root, path)) ? readEntries(join(root, path)) : [];
  return entries === undefined ? [path] : entries.flatMap((name) => listFiles(root, `${path}/${name}`));
};

/** Returns the names in a folder, or undefined for a file. */
const readEntries = (path) => {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  }
};
