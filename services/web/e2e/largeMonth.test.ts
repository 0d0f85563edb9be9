import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { maxIdsPerRequest, maxWholeMonthItems } from '@hearth/contract/limits.ts';
import { newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { fillDuplicates } from '@hearth/testkit/libraries/fillDuplicates.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import type { Locator, Page } from 'playwright-core';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import { getDialog, getPictures, pressControl, select, getShownItemId, signIn } from './testing/steps.ts';

/** Items per day that fill April 2022 up to the maximum of an unsplit month. */
const perDay = Math.floor(maxWholeMonthItems / 30);

/** Records the sections that the page requests, in order. */
const watchSections = (page: Page): (() => string[]) => {
  const requestedSections: string[] = [];
  page.on('request', (request) => {
    const section = /\/v1\/timeline\/([^/]+)\/grid/.exec(request.url())?.[1];
    if (section !== undefined) requestedSections.push(section);
  });
  return () => requestedSections.splice(0);
};

suite('large months and many duplicates, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  const addItems = async (userId: string, day: string, count: number): Promise<void> => {
    const values = Array.from({ length: count }, (_, index) =>
      newMediaItem(userId, { local_time: `${day}T12:${String(index % 60).padStart(2, '0')}:00`, status: 'READY' }),
    );
    await testContext.db.insertInto('media_items').values(values).execute();
  };

  /** Returns the id of the latest item of a day, which the timeline shows first. */
  const findLatest = async (userId: string, day: string): Promise<string> => {
    const itemsOfDay = testContext.db
      .selectFrom('media_items')
      .select('id')
      .where('user_id', '=', userId)
      .where('local_time', '>=', `${day}T00:00:00`);
    const { id } = await itemsOfDay
      .where('local_time', '<=', `${day}T23:59:59`)
      .orderBy('local_time', 'desc')
      .executeTakeFirstOrThrow();
    return id;
  };

  test('loads a large month day by day, and shows it as one month', async () => {
    const user = await testContext.createUser();
    await addItems(user.id, '2022-05-01', 2);
    await addItems(user.id, '2022-03-31', 2);
    for (let day = 1; day <= 30; day++)
      await addItems(user.id, `2022-04-${String(day).padStart(2, '0')}`, perDay + (day === 30 ? 40 : 0));
    const session = await testContext.openSession();
    const { page } = session;
    const sections = watchSections(page);
    await signIn(page, user);
    const scrubber = page.getByRole('slider');
    await page.getByRole('heading', { name: 'April 2022' }).waitFor();
    await getPictures(page, /April 30, 2022/)
      .first()
      .waitFor();
    assert.ok(!sections().includes('2022-04'), 'the month was loaded as a whole');

    // The scrubber moves by months.
    await page.getByText('May 2022').first().waitFor();
    assert.equal(await scrubber.getAttribute('aria-valuemax'), '2');
    await scrubber.press('End');
    await page.getByRole('heading', { name: 'March 2022' }).waitFor();
    await scrubber.press('Home');
    await scrubber.press('ArrowDown');
    const april = `April 2022, ${(30 * perDay + 40).toLocaleString('en')} items`;
    await page.locator(`[role=slider][aria-valuetext="${april}"]`).waitFor();
    await getPictures(page, /April 30, 2022/)
      .first()
      .waitFor();
    assert.equal(await page.getByRole('heading', { name: 'April 2022' }).count(), 1);

    // The viewer moves across days.
    await getPictures(page, /April 30, 2022/)
      .first()
      .click();
    const viewer = getDialog(page);
    await viewer.waitFor();
    const firstId = await getShownItemId(page);
    await pressControl(viewer, 'Previous');
    await page.waitForURL((url) => url.searchParams.get('item') !== firstId);
    // The key works only once the list around the item has loaded.
    await viewer.getByRole('button', { name: 'Next', disabled: false }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.searchParams.get('item') === firstId);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });

    // Range across days.
    await select(getPictures(page, /April 30, 2022/).first());
    await (await scrollTo(page, await findLatest(user.id, '2022-04-28'))).click({ modifiers: ['Shift'] });
    await page
      .getByRole('status')
      .getByText(`${2 * perDay + 40 + 1} selected`)
      .waitFor();
    await page.keyboard.press('Escape');
    await session.end();
  });

  test('splits a month into days while it is shown, without moving the page', async () => {
    const user = await testContext.createUser();
    for (let day = 1; day <= 30; day++) await addItems(user.id, `2022-04-${String(day).padStart(2, '0')}`, perDay);
    await addItems(user.id, '2022-04-02', maxWholeMonthItems - 30 * perDay);
    const session = await testContext.openSession();
    const { page } = session;
    const sections = watchSections(page);
    await signIn(page, user, '/?at=2022-04');
    await getPictures(page, /April 30, 2022/)
      .first()
      .waitFor();
    assert.deepEqual(sections(), ['2022-04']);
    await page.mouse.wheel(0, 2500);
    await getPictures(page, /April 2[0-7], 2022/)
      .first()
      .waitFor();
    const shown = await firstOnScreen(page);
    const dayRequest = page.waitForRequest(/\/v1\/timeline\/2022-04-\d\d\/grid/);
    await user.uploadFiles([
      {
        name: 'late.jpg',
        mimeType: 'image/jpeg',
        buffer: await makeTestPhoto({ seed: 1, takenAt: '2022:04:01 08:00:00' }),
      },
    ]);
    await dayRequest;
    await page.locator(`[data-item-id="${shown}"]`).waitFor();
    const { top } = await page
      .locator(`[data-item-id="${shown}"]`)
      .evaluate((element) => ({ top: element.getBoundingClientRect().top }));
    assert.ok(Math.abs(top) < 800, `the first picture on the screen moved to ${top} px`);
    await session.end();
  });

  test('loads and renders only the visible part of thousands of duplicates', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const hoarder = await testContext.createUser();
    for (let day = 1; day <= 10; day++) await addItems(hoarder.id, `2022-06-${String(day).padStart(2, '0')}`, 1000);
    await fillDuplicates(testContext.databaseUrl, hoarder.id);
    const requestedPaths: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/v1/duplicates')) requestedPaths.push(pathname + search);
    });
    await signIn(page, hoarder, '/duplicates');
    const groups = page.getByRole('region', { name: /similar photos$/ });
    await groups.nth(1).waitFor();
    assert.ok((await groups.count()) < 15, 'groups far from the screen are rendered');
    assert.deepEqual(requestedPaths, ['/v1/duplicates?limit=20&reviewed=false']);
    // The keyboard focus moves to the next group without reloading the list.
    const following = await groups.nth(1).getByRole('heading').getAttribute('id');
    await groups.first().getByRole('button', { name: 'Not duplicates' }).press('Enter');
    await page.getByText('Marked as not duplicates').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), following);
    assert.equal(requestedPaths.filter((path) => path.includes('limit=')).length, 1);
    const next = page.waitForResponse(/cursor=/);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await next;
    await page.waitForFunction(() => document.querySelector('[aria-posinset="20"]') !== null);
    assert.ok((await groups.count()) < 15);

    const largest = await testContext.db
      .selectFrom('duplicate_groups')
      .select(['id', 'item_count'])
      .where('user_id', '=', hoarder.id)
      .orderBy('item_count', 'desc')
      .executeTakeFirstOrThrow();
    const { id, item_count: count } = largest;
    assert.ok(count > maxIdsPerRequest, 'the group fits into one request');
    await page.goto(`/duplicates/${id}`);
    await page.getByRole('heading', { name: `${count.toLocaleString('en')} similar photos` }).waitFor();
    await getPictures(page, /, Best$/).waitFor();
    assert.ok((await getPictures(page).count()) < 200);
    // All pictures must have been loaded before any can be trashed.
    const keepBest = page.getByRole('button', { name: 'Keep best, trash the others' });
    await page.getByText('Scroll through all').waitFor();
    assert.equal(await keepBest.count(), 0);
    await waitUntil('all pictures are loaded', async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      return keepBest.isVisible();
    });
    await keepBest.click();
    await page.getByText(`${(count - 1).toLocaleString('en')} photos moved to trash`).waitFor();
    await page.getByRole('heading', { name: 'Duplicates', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Decision undone').waitFor();
    await page.goto(`/duplicates/${id}`);
    await page.getByRole('heading', { name: `${count.toLocaleString('en')} similar photos` }).waitFor();
    await session.end();
  });
});

/** Scrolls until a picture is rendered. Only pictures near the viewport are. */
const scrollTo = async (page: Page, id: string): Promise<Locator> => {
  const picture = page.locator(`[data-item-id="${id}"]`);
  await waitUntil('the picture is rendered', async () => {
    if (await picture.isVisible()) return true;
    await page.mouse.wheel(0, 300);
    // Pauses between scrolls, because fast scrolling renders no pictures.
    await page.waitForFunction(() => {
      const rows = [...document.querySelectorAll('[data-item-id]')].map((element) => element.getBoundingClientRect());
      return rows.some(({ top, bottom }) => top >= 0 && bottom <= innerHeight);
    });
    return false;
  });
  return picture;
};

/** Returns the id of the first fully visible picture. */
const firstOnScreen = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-item-id]')]
      .find((element) => element.getBoundingClientRect().top >= 64)
      ?.getAttribute('data-item-id'),
  );
