import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderApi } from './apiPage.ts';
import { renderChangelog } from './changelogPage.ts';
import { cutVersions } from './cutVersions.ts';
import { siteFolder } from './installSite.ts';
import { createSiteDocument } from './siteDocument.ts';

/** Writes what of the site is made of the rest of the tree: the API's document and page, the changelog and, unless told otherwise, the pages of released versions. */
export const prepareSite = ({ hasReleased = true } = {}): void => {
  const generated = join(siteFolder, 'generated');
  for (const name of ['pages', 'static']) mkdirSync(join(generated, name), { recursive: true });
  writeFileSync(join(generated, 'static/openapi.json'), JSON.stringify(createSiteDocument()));
  writeFileSync(join(generated, 'pages/api.mdx'), renderApi());
  writeFileSync(join(generated, 'pages/changelog.md'), renderChangelog());
  if (hasReleased) cutVersions();
};

/** How a build went, with everything that it said. */
export interface SiteBuild {
  readonly isBuilt: boolean;
  readonly output: string;
}

/** Builds a site into a folder, by a configuration of the site's folder. */
export const runDocusaurus = async (
  outDir: string,
  { config = 'docusaurus.config.ts', env = {} }: { readonly config?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<SiteBuild> => {
  const program = join(siteFolder, 'node_modules/@docusaurus/core/bin/docusaurus.mjs');
  const child = spawn(process.execPath, [program, 'build', '--out-dir', outDir, '--config', config], {
    cwd: siteFolder,
    // Docusaurus otherwise asks the registry of npm for a newer version of itself.
    env: { ...process.env, DO_NOT_TRACK: '1', CI: 'true', NO_UPDATE_NOTIFIER: '1', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { isBuilt: code === 0, output };
};
