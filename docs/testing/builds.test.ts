import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium } from 'playwright-core';
import { runDocusaurus, type SiteBuild } from '@hearth/scripts/site/buildSite.ts';
import { installSite } from '@hearth/scripts/site/installSite.ts';
import { builtSite } from '@hearth/scripts/site/builtSite.ts';
import { serveSite } from './openSite.ts';

/** Builds the small site `sites/NAME` with the configuration of the whole site. */
const buildSmall = async (
  t: TestContext,
  name: string,
  env: NodeJS.ProcessEnv = {},
): Promise<SiteBuild & { readonly folder: string }> => {
  installSite();
  const folder = await mkdtemp(join(tmpdir(), 'hearth-site-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const build = await runDocusaurus(folder, {
    config: 'testing/small.config.ts',
    env: {
      HEARTH_DOCS_TEST_PAGES: `testing/sites/${name}`,
      DOCUSAURUS_GENERATED_FILES_DIR_NAME: `.docusaurus-${name}`,
      ...env,
    },
  });
  return { ...build, folder };
};

test('the site builds without warnings, such as broken anchors or file links', async () => {
  const { output } = await builtSite();
  assert.doesNotMatch(output, /\[(?:WARNING|ERROR)\]/);
});

test('a broken link fails the build, and a broken file link warns', async (t) => {
  const { isBuilt, output } = await buildSmall(t, 'broken');
  assert.equal(isBuilt, false);
  assert.match(output, /broken links[^]*linking to \/docs\/nowhere/);
  assert.match(output, /\[WARNING\][^]*nowhere\.md/);
});

test(
  'a broken anchor warns; a configured analytics id receives page views when path, query or hash change',
  { skip: missingTool('chromium') },
  async (t) => {
    const { isBuilt, output, folder } = await buildSmall(t, 'counted', { HEARTH_DOCS_ANALYTICS_ID: 'G-TEST' });
    assert.equal(isBuilt, true, output);
    assert.match(output, /\[WARNING\][^]*broken anchors[^]*#nowhere/);
    const server = await serveSite(folder);
    t.after(() => server.stop());
    const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
    t.after(() => browser.close());
    const page = await browser.newPage();
    await page.route('https://www.googletagmanager.com/**', (route) => route.fulfill({ body: '' }));
    const asked = page.waitForRequest('https://www.googletagmanager.com/gtag/js?id=G-TEST');
    await page.goto(server.url, { waitUntil: 'networkidle' });
    await asked;
    /** Waits for this number of page views after the first, and returns their paths. */
    const viewed = (length: number): Promise<unknown> =>
      page
        .waitForFunction((wanted) => {
          const told = (window as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer.map((each) =>
            Array.from(each),
          );
          const paths = told.filter(([, name]) => name === 'page_path').map(([, , path]) => path);
          const views = told.filter(([, name]) => name === 'page_view').length;
          return paths.length === wanted && views === wanted && paths;
        }, length)
        .then((handle) => handle.jsonValue());
    await page.getByRole('link', { name: 'The second' }).click();
    assert.deepEqual(await viewed(1), ['/second']);
    await page.getByRole('link', { name: 'Direct link to A heading' }).click();
    assert.deepEqual(await viewed(2), ['/second', '/second#a-heading']);
    await page.getByRole('link', { name: 'the same with a query' }).click();
    assert.deepEqual(await viewed(3), ['/second', '/second#a-heading', '/second?by=query']);
    await page.getByRole('link', { name: 'The first' }).click();
    assert.deepEqual(await viewed(4), ['/second', '/second#a-heading', '/second?by=query', '/']);
  },
);
