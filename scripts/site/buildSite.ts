import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { renderApi } from './apiPages.ts';
import { addPolicies } from './contentSecurityPolicy.ts';
import { cutVersions } from './cutVersions.ts';
import { siteFolder } from './installSite.ts';
import { createSiteDocument } from './siteDocument.ts';

/**
 * Generates the parts of the site that come from the rest of the tree: the OpenAPI document, the API reference and the
 * changelog page. Unless `hasReleased` is false, it also extracts the pages of released versions.
 */
export const prepareSite = ({ hasReleased = true } = {}): void => {
  const generated = join(siteFolder, 'generated');
  for (const name of ['pages', 'static']) mkdirSync(join(generated, name), { recursive: true });
  writeFileSync(join(generated, 'static/openapi.json'), JSON.stringify(createSiteDocument()));
  // Placeholder for the path at which Hearth returns its version. See `detectHearth`.
  writeFileSync(join(generated, 'static/version'), '{}');
  const { pages, sidebar } = renderApi();
  rmSync(join(generated, 'api'), { recursive: true, force: true });
  rmSync(join(generated, 'pages/api.mdx'), { force: true });
  for (const [name, text] of pages) {
    const file = join(generated, 'api', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(generated, 'apiSidebar.json'), JSON.stringify(sidebar));
  writeFileSync(join(generated, 'pages/changelog.md'), renderChangelog());
  if (hasReleased) cutVersions();
};

/** Returns CHANGELOG.md with a description, and with links to the pages of the site instead of their files. */
const renderChangelog = (): string =>
  `---\ndescription: What has changed in Hearth.\n---\n\n${readFileSync(join(siteFolder, '../CHANGELOG.md'), 'utf8')}`
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/\]\(docs(\/docs\/[^)#]+)\.md/g, ']($1');

/** Result and output of a build. */
export interface SiteBuild {
  readonly isBuilt: boolean;
  readonly output: string;
}

/** Builds a site into a folder, with a configuration in the site's folder. */
export const runDocusaurus = async (
  outDir: string,
  { config = 'docusaurus.config.ts', env = {} }: { readonly config?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<SiteBuild> => {
  const program = join(siteFolder, 'node_modules/@docusaurus/core/bin/docusaurus.mjs');
  const environment: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'production', ...env };
  const child = spawn(process.execPath, [program, 'build', '--out-dir', outDir, '--config', config], {
    cwd: siteFolder,
    // Otherwise Docusaurus queries the npm registry for updates.
    env: { ...environment, DO_NOT_TRACK: '1', CI: 'true', NO_UPDATE_NOTIFIER: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) addPolicies(resolve(siteFolder, outDir), Boolean(environment['HEARTH_DOCS_ANALYTICS_ID']));
  return { isBuilt: code === 0, output };
};
