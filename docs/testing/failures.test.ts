import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { openSite, type OpenSite } from './openSite.ts';

const missing = missingTool('chromium');
const needs = { skip: missing };

/** Timeout of page operations on a busy machine, in ms. */
const patienceMs = 60_000;

let site: OpenSite;
before(async () => {
  if (missing === false) site = await openSite();
});
after(() => site?.close());

const openPage = async (): Promise<Page> => {
  const { page, context } = await site.visit();
  context.setDefaultTimeout(patienceMs);
  return page;
};

test('a render error shows “This page crashed.”, a retry button and the chain of messages', needs, async () => {
  const page = await openPage();
  // Breaks the observer that links use to detect their visibility, inside of the page.
  await page.addInitScript(() => {
    const observe = IntersectionObserver.prototype.observe;
    IntersectionObserver.prototype.observe = function (element) {
      if ((window as { isBroken?: boolean }).isBroken !== false && element.closest('main') !== null)
        throw new Error('the page could not be drawn', { cause: new Error('something below it broke') });
      observe.call(this, element);
    };
  });
  await page.goto('/docs/user-guide/introduction');
  const alert = page.locator('main').filter({ hasText: 'This page crashed.' }).or(page.getByText('This page crashed.'));
  await alert.first().waitFor();
  const text = (await page.locator('body').textContent()) ?? '';
  assert.match(text, /the page could not be drawn\s*Cause:\s*something below it broke/);
  await page.evaluate(() => Object.assign(window, { isBroken: false }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Introduction' }).waitFor();
  await page.context().close();
});

test('a page whose scripts fail to load offers to retry', needs, async () => {
  const page = await openPage();
  let isAway = false;
  // Aborts only the scripts of single pages. The common ones are cached.
  await page.route('**/assets/js/*.js', (route) =>
    isAway && !/main|runtime/.test(route.request().url()) ? route.abort() : route.continue(),
  );
  await page.goto('/markdown-page', { waitUntil: 'networkidle' });
  isAway = true;
  await page.goto('/docs/dev-guide/roadmap');
  const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' });
  await retry.waitFor();
  isAway = false;
  await retry.click();
  await page.waitForFunction(() => document.documentElement.dataset['hasHydrated'] === 'true');
  assert.equal(await retry.count(), 0);
  await page.context().close();
});

test('navigation to a page whose scripts fail to load offers to retry', needs, async () => {
  const page = await openPage();
  await page.goto('/markdown-page', { waitUntil: 'networkidle' });
  await page.route('**/assets/js/*.js', (route) =>
    /main|runtime/.test(route.request().url()) ? route.continue() : route.abort(),
  );
  await page.getByRole('link', { name: 'API', exact: true }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/api/');
  await page.context().close();
});

/** Returns the visible share of the progress bar, from 0 to 1, and its transition; undefined without a bar. */
const progressOf = (page: Page): Promise<{ readonly share: number; readonly transition: string } | undefined> =>
  page.evaluate(() => {
    const bar = document.querySelector<HTMLElement>('#nprogress .bar');
    if (bar === null) return undefined;
    const [, percent] = /translate(?:3d)?\((-?[\d.]+)%/.exec(bar.style.transform) ?? [];
    return { share: Math.round(1_000 * (1 + Number(percent) / 100)) / 1_000, transition: bar.style.transition };
  });

test(
  'the progress bar starts after 200 ms at 0.08, moves in 200 ms, grows by up to 0.02 every 800 ms, and has no spinner',
  needs,
  async () => {
    const page = await openPage();
    const held = Promise.withResolvers<void>();
    await page.clock.install();
    await page.goto('/markdown-page', { waitUntil: 'networkidle' });
    await page.route('**/assets/js/*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.evaluate(() => Object.assign(Math, { random: () => 0.5 }));
    // From here on, the test controls the clock.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.waitForURL('**/api/');
    await page.clock.runFor(199);
    assert.equal(await progressOf(page), undefined);
    await page.clock.runFor(1);
    const first = await progressOf(page);
    assert.equal(first?.share, 0.08);
    assert.match(first.transition, /\b200ms\b/);
    for (const share of [0.09, 0.1, 0.11]) {
      const before = await progressOf(page);
      await page.clock.runFor(799);
      assert.deepEqual(await progressOf(page), before);
      await page.clock.runFor(1);
      assert.equal((await progressOf(page))?.share, share);
    }
    assert.equal(await page.locator('.spinner').count(), 0);
    held.resolve();
    await page.clock.resume();
    await page.locator('#nprogress').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Hearth' }).first().waitFor();
    await page.context().close();
  },
);
