import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { openSite, type OpenSite } from './openSite.ts';

const missing = missingTool('chromium');
const needs = { skip: missing };

/** Milliseconds that something on a page may take, on a busy machine. */
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

test('a render error shows “This page crashed.”, Try again, and the chain of messages', needs, async () => {
  const page = await openPage();
  // The links of a page watch when they are seen; here the first ones inside a page cannot.
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

test('a page that cannot be loaded shows Retry, which loads it', needs, async () => {
  const page = await openPage();
  let isAway = false;
  // The script and style that every page has are there already; those of a single page are not.
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

test('on the way to a page that cannot be loaded Retry is offered, too', needs, async () => {
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

/** How much of the progress bar is seen, from 0 to 1, and how it moves there; undefined where there is none. */
const progressOf = (page: Page): Promise<{ readonly share: number; readonly transition: string } | undefined> =>
  page.evaluate(() => {
    const bar = document.querySelector<HTMLElement>('#nprogress .bar');
    if (bar === null) return undefined;
    const [, percent] = /translate(?:3d)?\((-?[\d.]+)%/.exec(bar.style.transform) ?? [];
    return { share: Math.round(1_000 * (1 + Number(percent) / 100)) / 1_000, transition: bar.style.transition };
  });

test(
  'the progress bar is shown after 200 ms, from 0.08 on, in steps of 200 ms, trickles by up to 0.02 every 800 ms, and has no spinner',
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
    // From here on time passes where this test says so.
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
