import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import type { Page } from 'playwright-core';
import { makePhotos, makeVideo } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser, PickedFile } from './testing/testUser.ts';
import { getDialog, goTo, getPictures, pressControl, getShownItemId, signIn, waitForCount } from './testing/steps.ts';
import { moveFingers } from './testing/touch.ts';
import { assertAccessible, type BrowserSession, type BrowserSessionOptions } from './testing/browserSession.ts';

/** Centre of the stage in a window of 1280 × 800. */
const middle = [640, 400] as const;

suite('viewer, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('Back skips a closed viewer, and Forward opens it again', async () => {
    const { session, page } = await openSessionWith(testContext, await makePhotos(2));
    await goTo(page, 'Favourites');
    await page.getByText('No favourites yet').waitFor();
    await goTo(page, 'Photos');
    await getPictures(page, 'Photo, June 2, 2022').click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    const first = await getShownItemId(page);
    await pressControl(viewer, 'Next');
    await page.waitForURL(waitForItem((item) => item !== first));
    // A second Escape must not leave the list.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await page.waitForURL(waitForItem((item) => item === null));
    assert.equal(new URL(page.url()).pathname, '/');
    await page.goForward();
    await viewer.getByRole('img').first().waitFor();
    await pressControl(viewer, 'Back');
    await viewer.waitFor({ state: 'hidden' });
    await page.goBack();
    await page.waitForURL(/favourites/);
    await session.end();
  });

  test('closing a picture opened by URL shows its list, and Back leads to the page before', async () => {
    const { session, page } = await openSessionWith(testContext, await makePhotos(1));
    const id = await getPictures(page).first().getAttribute('data-item-id');
    await goTo(page, 'Favourites');
    await page.goto(`/?item=${id ?? ''}`);
    await getDialog(page).getByRole('img').first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(waitForItem((item) => item === null));
    await page.goBack();
    await page.waitForURL(/favourites/);
    await session.end();
  });

  test('zooms by wheel and double click up to the pixels of the original, which loads only on zoom', async () => {
    const { session, page } = await openSessionWith(testContext, [await makeLargePhoto()]);
    await getPictures(page).first().click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await page.mouse.move(...middle);
    await waitForPixels(page, previewPx);
    assert.equal(await widestPicture(page), previewPx);
    await page.mouse.wheel(0, -1500);
    await page.locator('[data-zoomed=true]').waitFor();
    await waitForPixels(page, largePx);
    await assertAccessible(page);
    await page.mouse.wheel(0, 4000);
    await page.locator('[data-zoomed=false]').waitFor();
    await page.mouse.dblclick(...middle);
    await page.locator('[data-zoomed=true]').waitFor();
    await page.mouse.dblclick(...middle);
    await page.locator('[data-zoomed=false]').waitFor();
    await session.end();
  });

  test('does not load an unsupported original, and explains the zoom limit', async () => {
    const { session, page, user } = await openSessionWith(testContext, [await makeLargePhoto()]);
    await testContext.db
      .updateTable('media_items')
      .set({ mime_type: 'image/tiff' })
      .where('user_id', '=', user.id)
      .execute();
    await getPictures(page).first().click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await waitForPixels(page, previewPx);
    await page.mouse.move(...middle);
    await page.mouse.wheel(0, -4000);
    await viewer.getByText('This browser cannot show the original').waitFor();
    await assertAccessible(page);
    assert.equal(await widestPicture(page), previewPx);
    // At most twice the fitted size, which exceeds the pixels of the preview here.
    const scale = await page.evaluate(() => {
      const picture = document.querySelector('[data-zoomed=true] > :not([inert]) > div');
      return picture === null ? 0 : new DOMMatrix(getComputedStyle(picture).transform).a;
    });
    assert.equal(scale, 2);
    await session.end();
  });

  test('zooms by pinch, swipes to neighbours, and closes by a downward swipe', async () => {
    const { session, page } = await openSessionWith(testContext, await makePhotos(2), { hasTouch: true });
    await getPictures(page, 'Photo, June 2, 2022').click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    const first = await getShownItemId(page);
    await moveFingers(page, [{ from: [1000, 400], to: [300, 400] }]);
    await page.waitForURL(waitForItem((item) => item !== first && item !== null));
    await moveFingers(page, [{ from: [300, 400], to: [1000, 400] }]);
    await page.waitForURL(waitForItem((item) => item === first));
    await moveFingers(page, [
      { from: [600, 400], to: [300, 400] },
      { from: [680, 400], to: [980, 400] },
    ]);
    await page.locator('[data-zoomed=true]').waitFor();
    await assertAccessible(page);
    await moveFingers(page, [
      { from: [300, 400], to: [620, 400] },
      { from: [980, 400], to: [660, 400] },
    ]);
    await page.locator('[data-zoomed=false]').waitFor();
    await moveFingers(page, [{ from: [640, 200], to: [640, 600] }]);
    await viewer.waitFor({ state: 'hidden' });
    await session.end();
  });

  test('runs a slideshow in full screen', async () => {
    // Enough pictures that it does not end during the axe check.
    const { session, page } = await openSessionWith(testContext, await makePhotos(12));
    await getPictures(page, 'Photo, June 12, 2022').click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    const first = await getShownItemId(page);
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.fullscreenElement !== null);
    await pressControl(viewer, 'Slideshow');
    await assertAccessible(page);
    await pressControl(viewer, '3 s');
    await page.waitForURL(waitForItem((item) => item !== first));
    await pressControl(viewer, 'Stop');
    await viewer.getByRole('group', { name: 'Slideshow' }).waitFor({ state: 'detached' });
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.fullscreenElement === null);
    await session.end();
  });

  test('plays videos, and Live Photos on hover in grid and viewer', async () => {
    const { session, page } = await openSessionWith(testContext, [await makeVideo(), ...(await makePhotos(1))], {
      hasLessMotion: false,
      prepare: makeLivePhoto,
    });
    const live = getPictures(page, /^Live Photo/);
    await live.hover();
    await live.locator('video').waitFor({ state: 'attached' });
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
    await page.mouse.move(5, 790);
    await live.locator('video').waitFor({ state: 'detached' });

    await live.click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await page.mouse.move(...middle);
    await page.mouse.move(middle[0] + 5, middle[1]);
    await viewer.locator('video').waitFor({ state: 'attached' });
    await pressControl(viewer, 'Back');
    await viewer.waitFor({ state: 'hidden' });

    await getPictures(page, /^Video/).click();
    await viewer.locator('video[controls]').waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Space');
    await page.waitForFunction(
      () => (document.querySelector<HTMLVideoElement>('video[controls]')?.currentTime ?? 0) > 0,
    );
    await session.end();
  });

  test('plays Live Photos only on request and disables transitions with reduced motion', async () => {
    const { session, page } = await openSessionWith(testContext, [await makeVideo(), ...(await makePhotos(1))], {
      prepare: makeLivePhoto,
    });
    const durations = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return ['--duration-fast', '--duration-slow'].map((name) => style.getPropertyValue(name));
    });
    assert.deepEqual(durations.map(Number.parseFloat), [0, 0]);
    const live = getPictures(page, /^Live Photo/);
    await live.hover();
    // Twice the hover delay.
    await page.waitForTimeout(1200);
    assert.equal(await live.locator('video').count(), 0);
    await live.click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await pressControl(viewer, 'Play Live Photo');
    await viewer.locator('video').waitFor({ state: 'attached' });
    await session.end();
  });
});

const largePx = 4000;
const previewPx = 1440;

const makeLargePhoto = async (): Promise<PickedFile> => ({
  name: 'IMG_4001.jpg',
  mimeType: 'image/jpeg',
  buffer: await makeTestPhoto({ seed: 41, width: largePx, height: 3000, takenAt: '2022:06:01 12:00:00' }),
});

/** Opens the library of a new user with these files. `prepare` writes data that only components can write. */
const openSessionWith = async (
  testContext: TestContext,
  files: readonly PickedFile[],
  {
    prepare,
    ...options
  }: BrowserSessionOptions & { readonly prepare?: (testContext: TestContext, user: TestUser) => Promise<void> } = {},
): Promise<{ readonly session: BrowserSession; readonly page: Page; readonly user: TestUser }> => {
  const user = await testContext.createUser();
  await user.uploadFiles(files);
  await prepare?.(testContext, user);
  const session = await testContext.openSession(options);
  await signIn(session.page, user);
  await waitForCount(getPictures(session.page), files.length);
  return { session, page: session.page, user };
};

/** Turns the user's photo into a Live Photo with the user's video. */
const makeLivePhoto = async ({ db }: TestContext, { id: userId }: TestUser): Promise<void> => {
  const findClip = () =>
    db
      .selectFrom('media_items')
      .select('preview_key')
      .where('user_id', '=', userId)
      .where('type', '=', 'VIDEO')
      .where('preview_key', 'is not', null)
      .executeTakeFirst();
  await waitUntil('the video is transcoded', async () => (await findClip()) !== undefined);
  const clip = await findClip();
  await db
    .updateTable('media_items')
    .set({ category: 'LIVE', motion_key: clip?.preview_key ?? null })
    .where('user_id', '=', userId)
    .where('type', '=', 'PHOTO')
    .execute();
};

/** Returns the width of the largest loaded picture, in pixels. */
const widestPicture = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(...[...document.images].map(({ naturalWidth }) => naturalWidth)));

const waitForPixels = async (page: Page, width: number): Promise<void> => {
  await page.waitForFunction(
    (expectedWidth) => [...document.images].some((image) => image.naturalWidth === expectedWidth),
    width,
  );
};

const waitForItem =
  (isWanted: (item: string | null) => boolean) =>
  (url: URL): boolean =>
    isWanted(url.searchParams.get('item'));
