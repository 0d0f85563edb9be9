// Runs on any Node from 20 and without node_modules, as install.mjs does.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const web = 'services/web';

/** What goes into the web app besides its own folder, relative to the root. */
const shared = ['services/contract/src', 'package-lock.json', 'tsconfig.json'];

/** In a build: what it was made of, so that the next start knows whether it is still right. */
const stamp = '.sources';

/**
 * Builds the web app below `root` into services/web/dist unless it was built there of the same sources. A build that fails or breaks off changes
 * nothing there: what is served is whole or not there.
 * @param build makes the files in the folder that it is given
 * @returns `built`, `unchanged`, or `none` where this tree has no web app
 * @throws what `build` throws
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

/** One hash of the name and the bytes of everything that a build depends on. */
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

/** The file itself, or all files below a folder, relative to the root. */
const listFiles = (root, path) => {
  const entries = existsSync(join(root, path)) ? readEntries(join(root, path)) : [];
  return entries === undefined ? [path] : entries.flatMap((name) => listFiles(root, `${path}/${name}`));
};

/** The names in a folder; undefined for a file. */
const readEntries = (path) => {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  }
};
