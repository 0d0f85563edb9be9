import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium } from 'playwright-core';
import { runDocusaurus, type SiteBuild } from '@hearth/scripts/site/buildSite.ts';
import { installSite } from '@hearth/scripts/site/installSite.ts';
import { builtSite, hashSite } from '@hearth/scripts/site/builtSite.ts';
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

test('a cached build is used for the same analytics id and version only', () => {
  const environments = [{}, { HEARTH_DOCS_ANALYTICS_ID: 'G-1' }, { HEARTH_DOCS_VERSION: '1.0.0' }];
  assert.equal(new Set(environments.map((env) => hashSite(env))).size, environments.length);
  assert.equal(hashSite({ HEARTH_DOCS_ANALYTICS_ID: '' }), hashSite({}));
});

test('the image of the site takes the analytics id as a build argument', () => {
  const [, stage = ''] = readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8').split(/^FROM /m);
  // Build arguments are variables of the commands after them.
  assert.match(stage, /^ARG HEARTH_DOCS_ANALYTICS_ID=$[^]*^RUN node scripts\/site\/buildForImage\.ts/m);
});

test('a site without an analytics id tracks nothing', async () => {
  const { folder } = await builtSite();
  assert.doesNotMatch(readFileSync(join(folder, 'index.html'), 'utf8'), /googletagmanager|google-analytics/);
});

test(
  'a broken anchor warns; a configured analytics id receives page views when path, query or hash change, without search words',
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
    const errors: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    await page.goto(`${server.url}/?q=secret+words`, { waitUntil: 'networkidle' });
    await asked;
    /** Waits for this number of page views, and returns the latest location and referrer. */
    const getView = (length: number): Promise<unknown> =>
      page
        .waitForFunction((wanted) => {
          const commands = (window as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer.map((each) =>
            Array.from(each),
          );
          const views = commands.filter(([, name]) => name === 'page_view').length;
          return views === wanted && commands.findLast(([name]) => name === 'set')?.[1];
        }, length)
        .then((handle) => handle.jsonValue());
    const expectView = async (length: number, path: string, from: string): Promise<void> =>
      assert.deepEqual(await getView(length), { page_location: server.url + path, page_referrer: from });
    await expectView(1, '/', '');
    await page.getByRole('link', { name: 'The second' }).click();
    await expectView(2, '/second', `${server.url}/`);
    await page.getByRole('link', { name: 'Direct link to A heading' }).click();
    await expectView(3, '/second#a-heading', `${server.url}/second`);
    await page.getByRole('link', { name: 'the same with a query' }).click();
    await expectView(4, '/second?by=query', `${server.url}/second#a-heading`);
    await page.getByRole('link', { name: 'The first' }).click();
    await expectView(5, '/', `${server.url}/second?by=query`);
    const reported = await page.evaluate(() => JSON.stringify((window as unknown as { dataLayer: object }).dataLayer));
    assert.doesNotMatch(reported, /secret|words/);
    assert.deepEqual(errors, []);
  },
);
