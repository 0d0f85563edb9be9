import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { lazyModules } from './testing/lazyModules.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import { readMemory, readStored } from './testing/readStored.ts';
import { getDialog, goTo, getPictures, pressControl, sendSignIn, signIn, waitForCount } from './testing/steps.ts';
import { waitForServiceWorker, assertAccessible } from './testing/browserSession.ts';

suite('sessions, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('loads at most 200 kB of scripts and 30 kB of styles at first, including the sign-in form', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(1));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await waitForCount(getPictures(page), 1);
    // Registered with a delay, after the check for unfinished uploads.
    await waitForServiceWorker(page);
    const files = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => ({
        name: new URL(name).pathname,
        encodedBodySize,
      })),
    );
    const getTransferSize = (extension: string): number =>
      files.reduce((sum, { name, encodedBodySize }) => (name.endsWith(extension) ? sum + encodedBodySize : sum), 0);
    const sizes = { script: getTransferSize('.js'), style: getTransferSize('.css') };
    assert.ok(sizes.script > 50_000 && sizes.script <= 200_000, JSON.stringify(sizes));
    assert.ok(sizes.style > 1_000 && sizes.style <= 30_000, JSON.stringify(sizes));
    for (const lazyModule of lazyModules)
      assert.ok(!files.some(({ name }) => name.startsWith(`/assets/${lazyModule}`)), `${lazyModule} was loaded`);
    await session.end();
  });

  test('signing out in one tab signs out the other', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(1));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await waitForCount(getPictures(page), 1);
    const other = await session.openTab('/settings');
    await other.getByRole('heading', { name: 'Settings' }).waitFor();
    await assertAccessible(other);
    await other.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [other, page]) {
      await tab.getByLabel('User name').waitFor();
      assert.equal(await getPictures(tab).count(), 0);
    }
    await session.end();
  });

  test('asks to sign in again after a session was ended elsewhere, and keeps unsaved text', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(1));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await getPictures(page).first().click();
    const viewer = getDialog(page);
    await pressControl(viewer, 'Information');
    await viewer.getByRole('textbox', { name: 'Description' }).fill('The evening at the lake, when');
    session.expect(/401/);
    await user.endOtherSessions();
    await page.getByText('Your session has ended').waitFor();
    await assertAccessible(page);
    await sendSignIn(page, user);
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    assert.equal(
      await viewer.getByRole('textbox', { name: 'Description' }).inputValue(),
      'The evening at the lake, when',
    );
    await session.end();
  });

  test('removes all data of a user at sign-out', async () => {
    const [first, second] = [await testContext.createUser(), await testContext.createUser()];
    await first.uploadFiles(await makePhotos(2));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, first);
    await waitForCount(getPictures(page), 2);
    const ids = await getPictures(page).evaluateAll((cells) =>
      cells.map((cell) => cell.getAttribute('data-item-id') ?? ''),
    );
    await getPictures(page).first().click();
    const viewer = getDialog(page);
    await pressControl(viewer, 'Information');
    await viewer.getByText('IMG_2002.jpg').waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    const thumbnail = await firstThumbnail(page);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    await box.fill('harbour');
    await box.press('Enter');
    await page.getByText('No results for “harbour”').waitFor();
    assert.ok(await isCached(page, thumbnail), 'the thumbnail is not cached by the browser');
    session.expect(/net::ERR_CACHE_MISS/);
    const secrets = ['harbour', 'IMG_2002', first.username, first.id, ...ids];
    const inMemoryBefore = await readMemory(page);
    for (const secret of ['IMG_2002', first.id, ...ids])
      assert.ok(inMemoryBefore.includes(secret), `${secret} is not in memory before the sign-out`);
    await goTo(page, 'Settings');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await sendSignIn(page, second);
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    await goTo(page, 'Photos');
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();

    const stored = await readStored(page);
    const inMemory = await readMemory(page);
    for (const secret of secrets) {
      assert.ok(!stored.includes(secret), `${secret} is still stored: ${stored}`);
      const index = inMemory.indexOf(secret);
      assert.equal(index, -1, `${secret} is in memory: ${inMemory.slice(Math.max(0, index - 200), index + 200)}`);
    }
    assert.equal(await isCached(page, thumbnail), false, 'the browser still caches the thumbnail');
    await box.click();
    assert.equal(await page.getByRole('option').count(), 0);
    await session.end();
  });

  test('removes all data of the previous user when another user signs in after the session was ended elsewhere', async () => {
    const [first, second] = [await testContext.createUser(), await testContext.createUser()];
    await first.uploadFiles(await makePhotos(2));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, first);
    await waitForCount(getPictures(page), 2);
    const ids = await getPictures(page).evaluateAll((cells) =>
      cells.map((cell) => cell.getAttribute('data-item-id') ?? ''),
    );
    const thumbnail = await firstThumbnail(page);
    assert.ok(await isCached(page, thumbnail), 'the thumbnail is not cached by the browser');
    session.expect(/401|net::ERR_CACHE_MISS/);
    await first.endOtherSessions();
    await page.getByText('Your session has ended').waitFor();
    await sendSignIn(page, second);
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    await assertAccessible(page);
    const [stored, inMemory] = [await readStored(page), await readMemory(page)];
    for (const secret of [first.username, first.id, ...ids]) {
      assert.ok(!stored.includes(secret), `${secret} is still stored: ${stored}`);
      assert.ok(!inMemory.includes(secret), `${secret} is in memory`);
    }
    assert.equal(await isCached(page, thumbnail), false, 'the browser still caches the thumbnail');
    await session.end();
  });

  test('opens offline, names the problem, and recovers', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(1));
    const session = await testContext.openSession();
    const { page, context } = session;
    await signIn(page, user);
    await waitForCount(getPictures(page), 1);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    await box.fill('harbour');
    await box.press('Enter');
    await page.getByText('No results for “harbour”').waitFor();
    await waitForServiceWorker(page);
    session.expect(/net::ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await page.goto('/settings/appearance');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Server unreachable' }).waitFor();
    await page.getByText('Dark', { exact: true }).waitFor();
    await assertAccessible(page);
    await box.click();
    await page.getByRole('option', { name: /harbour/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto('/');
    await page.getByRole('complementary', { name: 'No connection to the server' }).waitFor();
    await context.setOffline(false);
    await waitForCount(getPictures(page), 1);
    await page.getByRole('complementary', { name: 'No connection to the server' }).waitFor({ state: 'detached' });
    await session.end();
  });

  for (const hasServiceWorker of [true, false]) {
    test(`continues automatically after a server outage, ${hasServiceWorker ? 'with' : 'without'} a service worker`, async () => {
      const user = await testContext.createUser();
      await user.uploadFiles(await makePhotos(2));
      const session = await testContext.openSession({ hasServiceWorker });
      const { page } = session;
      await signIn(page, user);
      await waitForCount(getPictures(page), 2);
      // Failed requests for data, styles, code and the service worker; briefly also 503 while the database starts.
      session.expect(
        /net::ERR_|status of 503|Unable to preload CSS|part of the app could not be loaded|error occurred when fetching the script/,
      );
      await testContext.api.kill();
      await goTo(page, 'Favourites');
      await testContext.api.restart();
      await page.getByText('No favourites yet').waitFor();
      await goTo(page, 'Photos');
      await waitForCount(getPictures(page), 2);
      // The event stream reconnects, too.
      await user.uploadFiles((await makePhotos(3)).slice(2));
      await waitForCount(getPictures(page), 3);
      await session.end();
    });
  }
});

const firstThumbnail = async (page: Page): Promise<string> => {
  const image = getPictures(page).first().locator('img');
  await image.waitFor();
  return (await image.getAttribute('src')) ?? '';
};

/** Returns whether the browser has cached a response. */
const isCached = (page: Page, address: string): Promise<boolean> =>
  page.evaluate(
    (url) =>
      fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    address,
  );
