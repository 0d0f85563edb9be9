import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { siteFolder } from './installSite.ts';

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(siteFolder, name), 'utf8'));

const { repository } = readJson('package.json') as { readonly repository: string };
const checkout = join(siteFolder, '..');

/** The folders of pages that a released version keeps: those for who runs it. The others are about the tree, and there is one tree. */
const keptFolders = ['user-guide', 'admin-guide', 'images'];

/** Bytes that the pages of a version and their pictures may have. */
const mostBytes = 200_000_000;

/**
 * Cuts the pages of released versions, those of `docs/versions.json` unless others are given, and their order out of the tags `v<version>` of a checkout. So
 * git holds no page twice. @throws Error where a version has no tag
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
    const input = git(root, 'archive', tag, ...keptFolders.map((name) => `docs/docs/${name}`));
    execFileSync('tar', ['--extract', '--strip-components=2'], { cwd: target, input });
    for (const page of globSync('**/*.md', { cwd: target })) {
      const file = join(target, page);
      writeFileSync(file, leadOut(readFileSync(file, 'utf8'), page.split(sep).join('/')));
    }
    const userGuide: unknown = JSON.parse(git(root, 'show', `${tag}:docs/userGuide.json`).toString());
    const sidebars = join(docs, 'versioned_sidebars', `version-${version}-sidebars.json`);
    writeFileSync(sidebars, JSON.stringify({ userGuide }, undefined, 2));
  }
};

const git = (root: string, ...args: readonly string[]): Buffer =>
  execFileSync('git', args, { cwd: root, maxBuffer: mostBytes });

const findTag = (root: string, version: string): string => {
  const tag = `refs/tags/v${version}`;
  if (spawnSync('git', ['rev-parse', '--verify', '--quiet', tag], { cwd: root }).status !== 0)
    throw new Error(`docs/versions.json names ${version}, and git has no tag v${version}: git fetch --tags`);
  return tag;
};

/** Lets links to pages that a version does not keep lead to those of the tree, and links out of the pages to the repository. */
const leadOut = (text: string, page: string): string =>
  text.replaceAll(/\]\((\.\.\/[^)#]+)(#[^)]*)?\)/g, (whole, url: string, anchor = '') => {
    const target = posix.join('docs/docs', posix.dirname(page), url);
    if (target.startsWith('docs/openapi/')) return '](/api/)';
    if (!target.startsWith('docs/docs/')) return `](${repository}/blob/main/${target}${anchor})`;
    const [, , folder = ''] = target.split('/');
    if (keptFolders.includes(folder)) return whole;
    return `](/${target.replace('docs/docs/', 'docs/').replace(/(\/README)?\.md$/, '')}${anchor})`;
  });
