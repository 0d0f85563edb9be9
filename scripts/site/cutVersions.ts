import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { siteFolder } from './installSite.ts';

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(siteFolder, name), 'utf8'));

const { repository } = readJson('package.json') as { readonly repository: string };
const checkout = join(siteFolder, '..');

/**
 * Page folders that released versions keep: those for users and administrators. The others describe only the current
 * tree.
 */
const versionedFolders = ['user-guide', 'admin-guide', 'images'];

/** Maximum size of a version's pages and pictures, in bytes. */
const maxBytes = 200_000_000;

/**
 * Extracts the pages and sidebars of released versions from the tags `v<version>` of a checkout, so that git stores no
 * page twice. The default is the list in `docs/versions.json`. @throws Error if a version has no tag
 */
export const cutVersions = (root = checkout, versions = readJson('versions.json') as readonly string[]): void => {
  const docs = join(root, 'docs');
  for (const name of ['versioned_docs', 'versioned_sidebars']) {
    rmSync(join(docs, name), { recursive: true, force: true });
    mkdirSync(join(docs, name));
  }
  for (const version of versions) {
    const tag = findTag(root, version);
    const target = join(docs, 'versioned_docs', `version-${version}`);
    mkdirSync(target);
    const input = git(root, 'archive', tag, ...versionedFolders.map((name) => `docs/docs/${name}`));
    execFileSync('tar', ['--extract', '--strip-components=2'], { cwd: target, input });
    for (const page of globSync('**/*.md', { cwd: target })) {
      const file = join(target, page);
      writeFileSync(file, rewriteOutsideLinks(readFileSync(file, 'utf8'), page.split(sep).join('/')));
    }
    const userGuide: unknown = JSON.parse(git(root, 'show', `${tag}:docs/userGuide.json`).toString());
    const sidebars = join(docs, 'versioned_sidebars', `version-${version}-sidebars.json`);
    writeFileSync(sidebars, JSON.stringify({ userGuide }, undefined, 2));
  }
};

const git = (root: string, ...args: readonly string[]): Buffer =>
  execFileSync('git', args, { cwd: root, maxBuffer: maxBytes });

const findTag = (root: string, version: string): string => {
  const tag = `refs/tags/v${version}`;
  if (spawnSync('git', ['rev-parse', '--verify', '--quiet', tag], { cwd: root }).status !== 0)
    throw new Error(`docs/versions.json contains ${version}, but git has no tag v${version}: run git fetch --tags`);
  return tag;
};

/**
 * Redirects links to pages that the version does not include to the current ones, and links outside the pages to the
 * repository.
 */
const rewriteOutsideLinks = (text: string, page: string): string =>
  text.replaceAll(/\]\((\.\.\/[^)#]+)(#[^)]*)?\)/g, (whole, url: string, anchor = '') => {
    const target = posix.join('docs/docs', posix.dirname(page), url);
    if (target.startsWith('docs/openapi/')) return '](/api/)';
    if (!target.startsWith('docs/docs/')) return `](${repository}/blob/main/${target}${anchor})`;
    const [, , folder = ''] = target.split('/');
    if (versionedFolders.includes(folder)) return whole;
    return `](/${target.replace('docs/docs/', 'docs/').replace(/(\/README)?\.md$/, '')}${anchor})`;
  });
