import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { apiVersion } from '@hearth/contract/system.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { assertAccessible } from '@hearth/web/e2e/testing/browserSession.ts';
import { assertFits, openSite, type OpenSite } from './openSite.ts';

/** Maximum number of elements of a page at first paint. */
const maxElements = 2_000;

const missing = missingTool('chromium');
const needs = { skip: missing };

let site: OpenSite;
before(async () => {
  if (missing === false) site = await openSite();
});
after(() => site?.close());

test('each operation of the OpenAPI document has a page', needs, () => {
  const { info, paths } = JSON.parse(readFileSync(join(site.folder, 'openapi.json'), 'utf8')) as {
    readonly info: { readonly version: string };
    readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; tags: [string] }>>>>;
  };
  assert.equal(info.version, apiVersion);
  for (const { operationId, tags } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const name = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const page = readFileSync(join(site.folder, 'api', tags[0], name, 'index.html'), 'utf8');
    for (const label of ['curl', 'TypeScript', 'Python']) assert.ok(page.includes(`>${label}<`), `${name}: ${label}`);
  }
});

test(`no page of the reference has more than ${maxElements} elements`, needs, () => {
  for (const file of globSync('api/**/index.html', { cwd: site.folder })) {
    const count = readFileSync(join(site.folder, file), 'utf8').match(/<[a-z]/g)!.length;
    assert.ok(count <= maxElements, `${file}: ${count}`);
  }
});

test('the sidebar lists resources; one that is opened lists its operations with their methods', needs, () =>
  site.look('/api/', async (page) => {
    await page.getByRole('heading', { level: 1, name: `Hearth API ${apiVersion}` }).waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Docs sidebar' });
    assert.equal(await sidebar.locator('.apiItem').count(), 0);
    await sidebar.getByRole('link', { name: 'Albums' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Albums' }).waitFor();
    const item = sidebar.locator('.apiItem-post', { hasText: 'Create an album' });
    assert.equal(await item.getByRole('link').evaluate((link) => getComputedStyle(link, '::before').content), '"POST"');
    await item.getByRole('link').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Create an album' }).waitFor();
  }),
);

test('an operation has samples in three languages and an example of its response', needs, () =>
  site.look('/api/auth/login', async (page) => {
    await page.getByText('curl --fail-with-body').waitFor();
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    await page.getByText('const response = await fetch(').waitFor();
    await page.getByRole('tab', { name: 'Python' }).press('Enter');
    await page.getByText('response = requests.post(').waitFor();
    await page.getByText('"accessToken"').waitFor();
    // No Hearth has the same origin.
    assert.equal(await page.getByText('Try it').count(), 0);
  }),
);

for (const [theme, width] of [
  ['light', 1_440],
  ['light', 1_000],
  ['dark', 360],
] as const)
  test(`operations and chapters fit the window, and axe finds nothing: ${theme}, ${width} px`, needs, async () => {
    const visit = await site.visit({ width });
    await visit.context.addInitScript((name) => localStorage.setItem('theme', name), theme);
    for (const path of ['auth/login', 'library/upload-media-item', 'library', 'authentication', 'samples']) {
      await visit.page.goto(`/api/${path}`, { waitUntil: 'networkidle' });
      await assertFits(visit.page);
      await assertAccessible(visit.page);
    }
    await visit.end();
  });
