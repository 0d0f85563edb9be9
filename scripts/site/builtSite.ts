import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { toolsDirectory } from '@hearth/testkit/run/tools.ts';
import { prepareSite, runDocusaurus } from './buildSite.ts';
import { installSite } from './installSite.ts';

const root = join(import.meta.dirname, '../..');

/** What the site is made of, besides the folders that a build writes. */
const sources = [
  'docs/*.{ts,json}',
  'docs/{docs,src,static,changelog,server}/**/*',
  'services/contract/src/**/*.ts',
  'scripts/site/*.ts',
  'scripts/reference/markdown.ts',
];

/** How many builds are kept, of several checkouts and branches. */
const keptBuilds = 4;

/** A site that was built. */
export interface BuiltSite {
  /** The folder of its files. */
  readonly folder: string;
  /** What the build said. */
  readonly output: string;
}

/** The site of the tree as it is: built now, or found where it was built of the same sources before. @throws where it cannot be built */
export const builtSite = async (): Promise<BuiltSite> => {
  // Its packages serve it too, also where another checkout has built the same.
  installSite();
  const all = join(toolsDirectory(process.env), 'site');
  const target = join(all, hashSources());
  if (!existsSync(target)) {
    const making = `${target}.${process.pid}`;
    mkdirSync(making, { recursive: true });
    try {
      await build(making);
      // Of two processes that build the same one is first.
      if (!existsSync(target)) renameSync(making, target);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
    removeOldBuilds(all);
  }
  // Those in use are kept longest.
  utimesSync(target, new Date(), new Date());
  return { folder: join(target, 'files'), output: readFileSync(join(target, 'build.log'), 'utf8') };
};

const build = async (folder: string): Promise<void> => {
  prepareSite();
  console.log('Building the documentation site (once, and after changes; this takes about half a minute) …');
  const { isBuilt, output } = await runDocusaurus(join(folder, 'files'));
  if (!isBuilt) throw new Error(`The documentation site could not be built:\n${output}`);
  writeFileSync(join(folder, 'build.log'), output);
};

const hashSources = (): string => {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root }).filter((path) => statSync(join(root, path)).isFile());
  for (const path of files.toSorted()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
};

const removeOldBuilds = (all: string): void => {
  const builds = readdirSync(all).map((name) => ({ path: join(all, name), at: statSync(join(all, name)).mtimeMs }));
  for (const { path } of builds.toSorted((one, other) => other.at - one.at).slice(keptBuilds)) {
    rmSync(path, { recursive: true, force: true });
  }
};
