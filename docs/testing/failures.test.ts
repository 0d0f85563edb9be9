import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { missingTool } from '@hearth/core/testing/tools.ts';
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

test(
  'the progress bar is shown after 200 ms, from 0.08 on, in steps of 200 ms, trickles by up to 0.02 every 800 ms, and has no spinner',
  needs,
  async () => {
    const page = await openPage();
    const held = Promise.withResolvers<void>();
    await page.goto('/markdown-page', { waitUntil: 'networkidle' });
    await page.route('**/assets/js/*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.evaluate(() => {
      const seen: { at: number; x: number; transition: string; hasSpinner: boolean }[] = [];
      Object.assign(window, { seen, clickedAt: 0 });
      document.addEventListener('click', () => Object.assign(window, { clickedAt: performance.now() }), {
        capture: true,
      });
      const look = (): void => {
        const bar = document.querySelector<HTMLElement>('#nprogress .bar');
        const x = Number(/translate(?:3d)?\((-?[\d.]+)%/.exec(bar?.style.transform ?? '')?.[1] ?? NaN);
        const last = seen.at(-1);
        if (bar !== null && !Number.isNaN(x) && x !== last?.x)
          seen.push({
            at: performance.now(),
            x,
            transition: bar.style.transition,
            hasSpinner: document.querySelector('.spinner') !== null,
          });
      };
      new MutationObserver(look).observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['style'],
      });
    });
    await page.getByRole('link', { name: 'API', exact: true }).click();
    type Seen = { at: number; x: number; transition: string; hasSpinner: boolean };
    await page.waitForFunction(() => (window as unknown as { seen: unknown[] }).seen.length >= 5);
    const { seen, clickedAt } = await page.evaluate(() => {
      const { seen, clickedAt } = window as unknown as { seen: Seen[]; clickedAt: number };
      return { seen, clickedAt };
    });
    held.resolve();
    const shown = seen.map(({ x }) => (100 + x) / 100);
    // It is put at 0 and moved from there: what it shows first is its minimum.
    const [first = NaN, ...trickled] = shown.filter((share) => share > 0);
    assert.ok(seen[0]!.at - clickedAt >= 200, `shown after ${seen[0]!.at - clickedAt} ms`);
    assert.equal(Number(first.toFixed(3)), 0.08);
    assert.match(seen.find(({ x }) => x > -100)!.transition, /200ms/);
    for (const [index, share] of trickled.entries()) {
      const step = share - (index === 0 ? first : trickled[index - 1]!);
      assert.ok(step > 0 && step <= 0.02 + 1e-9, `a step of ${step}`);
    }
    const times = seen.filter(({ x }) => x > -100).map(({ at }) => at);
    for (const [index, at] of times.slice(1).entries())
      assert.ok(at - times[index]! >= 750, `after ${at - times[index]!} ms`);
    assert.ok(seen.every(({ hasSpinner }) => !hasSpinner));
    await page.waitForURL('**/api/');
    await page.locator('#nprogress').waitFor({ state: 'detached' });
    await page.context().close();
  },
);
