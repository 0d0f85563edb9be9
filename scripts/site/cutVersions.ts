import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import site from '../../docs/package.json' with { type: 'json' };
import userGuide from '../../docs/userGuide.json' with { type: 'json' };
import versions from '../../docs/versions.json' with { type: 'json' };
import { siteFolder } from './installSite.ts';

/** The folders of pages that a released version keeps: those for who runs it. The others are about the tree, and there is one tree. */
const keptFolders = ['user-guide', 'admin-guide', 'images'];

/**
 * Cuts the pages of each version of `versions.json`: out of its tag `v<version>` where git has that, else out of the tree, which is what will be
 * released. So git holds no page twice.
 */
export const cutVersions = (): void => {
  for (const name of ['versioned_docs', 'versioned_sidebars']) {
    rmSync(join(siteFolder, name), { recursive: true, force: true });
    mkdirSync(join(siteFolder, name));
  }
  for (const version of versions) {
    const target = join(siteFolder, 'versioned_docs', `version-${version}`);
    mkdirSync(target);
    takePages(version, target);
    for (const page of globSync('**/*.md', { cwd: target })) {
      const file = join(target, page);
      writeFileSync(file, leadOut(readFileSync(file, 'utf8'), page.split(sep).join('/')));
    }
    const sidebarsOfVersion = JSON.stringify({ userGuide }, undefined, 2);
    writeFileSync(join(siteFolder, 'versioned_sidebars', `version-${version}-sidebars.json`), sidebarsOfVersion);
  }
};

const takePages = (version: string, target: string): void => {
  const folders = keptFolders.map((name) => `docs/docs/${name}`);
  const archive = spawnSync('git', ['archive', `v${version}`, ...folders], { cwd: join(siteFolder, '..') });
  if (archive.status === 0) {
    spawnSync('tar', ['--extract', '--strip-components=2'], { cwd: target, input: archive.stdout });
    return;
  }
  for (const name of keptFolders) cpSync(join(siteFolder, 'docs', name), join(target, name), { recursive: true });
};

/** Lets links to pages that a version does not keep lead to those of the tree, and links out of the pages to the repository. */
const leadOut = (text: string, page: string): string =>
  text.replaceAll(/\]\((\.\.\/[^)#]+)(#[^)]*)?\)/g, (whole, url: string, anchor = '') => {
    const target = posix.join('docs/docs', posix.dirname(page), url);
    if (target.startsWith('docs/openapi/')) return '](/api/)';
    if (!target.startsWith('docs/docs/')) return `](${site.repository}/blob/main/${target}${anchor})`;
    const [, , folder = ''] = target.split('/');
    if (keptFolders.includes(folder)) return whole;
    return `](/${target.replace('docs/docs/', 'docs/').replace(/(\/README)?\.md$/, '')}${anchor})`;
  });
