import { spawnSync } from 'node:child_process';
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

/** Sources of the site, without the generated folders. */
const sources = [
  'CHANGELOG.md',
  'docs/*.{ts,json}',
  'docs/{api,docs,src,static,server}/**/*',
  'services/contract/src/**/*.ts',
  'scripts/site/*.ts',
  'scripts/reference/markdown.ts',
];

/** Number of cached builds, shared by several checkouts and branches. */
const keptBuilds = 4;

export interface BuiltSite {
  /** Folder of the built files. */
  readonly folder: string;
  /** Output of the build. */
  readonly output: string;
}

/** Returns the site of the current tree, from the cache if its sources are unchanged. @throws if the build fails */
export const builtSite = async (): Promise<BuiltSite> => {
  // Serving the site needs its packages too, even if another checkout has built it.
  installSite();
  const all = join(toolsDirectory(process.env), 'site');
  const target = join(all, hashSite(process.env));
  if (!existsSync(target)) {
    const making = `${target}.${process.pid}`;
    mkdirSync(making, { recursive: true });
    try {
      await build(making);
      // Another process may have finished the same build. The first one wins.
      if (!existsSync(target)) renameSync(making, target);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
    removeOldBuilds(all);
  }
  // Builds in use are kept longest.
  utimesSync(target, new Date(), new Date());
  return { folder: join(target, 'files'), output: readFileSync(join(target, 'build.log'), 'utf8') };
};

const build = async (folder: string): Promise<void> => {
  prepareSite();
  console.log('Building the documentation site (once, and after changes; this takes about half a minute) …');
  const { isBuilt, output } = await runDocusaurus(join(folder, 'files'));
  if (!isBuilt) throw new Error(`Building the documentation site failed:\n${output}`);
  writeFileSync(join(folder, 'build.log'), output);
};

/** Variables that change the built site. */
const variables = ['HEARTH_DOCS_ANALYTICS_ID', 'HEARTH_DOCS_VERSION'];

/** Hashes everything that a build depends on: sources, variables and the dates of the pages. */
export const hashSite = (env: NodeJS.ProcessEnv): string => {
  const hash = createHash('sha256');
  for (const name of variables) hash.update(`${name}=${env[name] ?? ''}\0`);
  hash.update(spawnSync('git', ['log', '-1', '--format=%H', '--', 'docs/docs'], { cwd: root }).stdout ?? '');
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
