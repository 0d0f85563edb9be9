import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Locator, Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser, PickedFile } from './testing/testUser.ts';
import { getDialog, goTo, getPictures, select, signIn, waitForCount } from './testing/steps.ts';
import { assertAccessible } from './testing/browserSession.ts';
import { writePlaces } from './testing/writePlaces.ts';

suite('exploring a library, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('names people, merges them by name, by choice and by drag and drop, and hides them', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(4));
    await writePersonOnEach(testContext, user);
    const session = await testContext.openSession();
    // The faces have no stored pictures.
    session.expect(/404 .*face-1/);
    const { page } = session;
    await signIn(page, user, '/people');
    await waitForCount(cards(page, 'Who is this?'), 4);
    await assertAccessible(page);

    await name(page, cards(page, 'Who is this?').first(), 'Ada');
    await name(page, cards(page, 'Who is this?').first(), 'Bea');

    // An existing name: the app offers a merge and shows its result. The user declines.
    await name(page, cards(page, 'Who is this?').first(), 'ada', async (dialog) => {
      await dialog.getByText('ada will appear in 2 photos.').waitFor();
      await assertAccessible(page);
      await dialog.getByRole('button', { name: 'Keep separate' }).click();
    });
    await waitForCount(cards(page, /^ada$/i), 2);

    // Merge by choice, on the page of the person to keep.
    await cards(page, 'Ada').click();
    await page.getByRole('button', { name: 'Merge with …' }).click();
    const dialog = getDialog(page);
    await dialog.getByText('ada', { exact: true }).click();
    await dialog.getByText('Ada will appear in 2 photos.').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Merge 1 person' }).click();
    await undo(page, 'People merged.');
    await page.getByText('Merge undone.').waitFor();
    await waitForCount(getPictures(page), 1);
    await page.getByRole('button', { name: 'Merge with …' }).click();
    await dialog.getByText('ada', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Merge 1 person' }).click();
    await waitForCount(getPictures(page), 2);

    // Merge by drag and drop.
    await goToPeople(page);
    await waitForCount(cards(page, /./), 3);
    await cards(page, 'Who is this?').dragTo(cards(page, 'Bea'));
    await dialog.getByText('Bea will appear in 2 photos.').waitFor();
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await waitForCount(cards(page, /./), 2);
    await undo(page, 'People merged.');
    await waitForCount(cards(page, /./), 3);
    await cards(page, 'Who is this?').dragTo(cards(page, 'Bea'));
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await waitForCount(cards(page, /./), 2);

    // Hide, undo, hide, and unhide.
    await cards(page, 'Bea').click();
    await choose(page, 'Hide');
    const hidden = page.getByRole('dialog', { name: 'Person hidden.' });
    await hidden.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Person is visible again.').waitFor();
    await choose(page, 'Hide');
    await page.getByText('This person is hidden.').waitFor();
    await assertAccessible(page);
    await goToPeople(page);
    await waitForCount(cards(page, /./), 1);
    await page.getByRole('link', { name: 'Show hidden people' }).click();
    await cards(page, 'Bea').click();
    await choose(page, 'Unhide');
    await goToPeople(page);
    await waitForCount(cards(page, /./), 2);
    await session.end();
  });

  test('removes a person from selected photos, from all photos and in the viewer, each with undo', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(3));
    await writeSamePersonOnEach(testContext, user);
    const session = await testContext.openSession();
    // The faces have no stored pictures, and a person without photos returns 404.
    session.expect(/404 .*(face-1|explore\/people)/);
    const { page } = session;
    await signIn(page, user, '/people');
    await name(page, cards(page, 'Who is this?'), 'Ada');
    await cards(page, 'Ada').click();
    await waitForCount(getPictures(page), 3);

    await select(getPictures(page).first());
    const bar = page.getByRole('region', { name: 'Selected items' });
    await assertAccessible(page);
    await bar.getByRole('button', { name: 'Not this person' }).click();
    await waitForCount(getPictures(page), 2);
    await undo(page, 'Removed from this person');
    await waitForCount(getPictures(page), 3);

    await select(getPictures(page).first());
    await bar.getByRole('button', { name: 'Select all loaded' }).click();
    await bar.getByRole('button', { name: 'Not this person' }).click();
    await page.getByText('No photos').waitFor();
    await undo(page, '3 removed from this person');
    await waitForCount(getPictures(page), 3);

    await getPictures(page).first().click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await page.keyboard.press('i');
    await viewer.getByRole('button', { name: 'Not Ada' }).waitFor();
    await assertAccessible(page);
    await viewer.getByRole('button', { name: 'Not Ada' }).click();
    await viewer.getByRole('button', { name: 'Not this person' }).waitFor();
    await undo(page, 'Removed from this person');
    await viewer.getByRole('button', { name: 'Not Ada' }).waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await waitForCount(getPictures(page), 3);
    await goToPeople(page);
    await waitForCount(cards(page, /./), 1);
    await session.end();
  });

  test('shows photos of this day in earlier years', async () => {
    const user = await testContext.createUser();
    const year = Number(getTimeToday('year'));
    const day = `${getTimeToday('month')}:${getTimeToday('day')}`;
    // These years also have a 29 February, in case today is one.
    await user.uploadFiles([
      await photo({ seed: 51, takenAt: `${year - 4}:${day} 12:00:00` }),
      await photo({ seed: 52, takenAt: `${year - 8}:${day} 12:00:00` }),
      await photo({ seed: 53, takenAt: `${year - 8}:${day} 13:00:00` }),
    ]);
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await goTo(page, 'Explore');
    await page.getByRole('link', { name: '8 years ago' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: '4 years ago' }).click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'On this day' }).waitFor();
    await waitForCount(getPictures(page), 3);
    await assertAccessible(page);
    await session.end();
  });

  test('splits clusters of the map on zoom, and opens a single photo', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(3));
    await writePlaces(testContext, user, [
      { latitude: 38.7, longitude: -9.1 },
      { latitude: 39.5, longitude: -7 },
      { latitude: -33.9, longitude: 151.2 },
    ]);
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user, '/places');
    const map = page.getByRole('group', { name: 'Map of your photos' });
    await map.getByRole('button', { name: '2 photos' }).waitFor();
    await assertAccessible(page);
    await map.getByRole('button', { name: '2 photos' }).click();
    await waitForCount(map.getByRole('button', { name: '1 photo', exact: true }), 2);
    await page.waitForURL((url) => url.searchParams.has('map'));
    await map.getByRole('button', { name: '1 photo', exact: true }).first().click();
    await getDialog(page).getByRole('img').first().waitFor();
    await page.goBack();
    await getDialog(page).waitFor({ state: 'hidden' });
    await waitForCount(map.getByRole('button', { name: '1 photo', exact: true }), 2);
    assert.equal(new URL(page.url()).pathname, '/places');
    await session.end();
  });
});

const cards = (page: Page, name: string | RegExp): Locator =>
  page
    .getByRole('main')
    .getByRole('list')
    .getByRole('link', typeof name === 'string' ? { name, exact: true } : { name });

const goToPeople = async (page: Page): Promise<void> => {
  await page.goto('/people');
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
};

/** Names a person on their page and returns to all people. `handleDialog` handles the dialog that may follow. */
const name = async (
  page: Page,
  card: Locator,
  text: string,
  handleDialog: (dialog: Locator) => Promise<void> = async () => undefined,
): Promise<void> => {
  await card.click();
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('combobox', { name: 'Name' }).fill(text);
  await page.keyboard.press('Enter');
  assert.equal((await saved).status(), 204);
  await handleDialog(getDialog(page));
  await goToPeople(page);
};

const undo = async (page: Page, message: string): Promise<void> => {
  const toast = page.getByRole('dialog', { name: message });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await toast.waitFor({ state: 'detached' });
};

/**
 * Selects an action of a person's menu and waits for the response. Leaving the page earlier could cancel the request.
 */
const choose = async (page: Page, action: string): Promise<void> => {
  const item = page.getByRole('menuitem', { name: action });
  const isMenuOpen = () =>
    item.waitFor({ timeout: menuMs }).then(
      () => true,
      () => false,
    );
  // A simultaneous update of the page may close the menu. Then this opens it again.
  for (let attempts = 1; attempts <= 3; attempts += 1) {
    await page.getByRole('button', { name: 'More actions' }).click();
    if (await isMenuOpen()) break;
  }
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await item.click();
  assert.equal((await saved).status(), 204);
};

/** Timeout for the menu to open, in ms. */
const menuMs = 10_000;

const photo = async (options: Parameters<typeof makeTestPhoto>[0]): Promise<PickedFile> => ({
  name: `IMG_${5000 + options.seed}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await makeTestPhoto(options),
});

/** Part of the current date in the browser's time zone. */
const getTimeToday = (part: 'year' | 'month' | 'day'): string =>
  new Intl.DateTimeFormat('en', { timeZone: 'Europe/Lisbon', year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(new Date())
    .find(({ type }) => type === part)?.value ?? '';

const listItems = ({ db }: TestContext, { id: userId }: TestUser) =>
  db.selectFrom('media_items').select(['id', 'user_id']).where('user_id', '=', userId).execute();

/** Writes a face of a new person on each photo, as the FACES component does. */
const writePersonOnEach = async (testContext: TestContext, user: TestUser): Promise<void> => {
  for (const item of await listItems(testContext, user)) await writeFaces(testContext.db, item, [makeFace(item)]);
};

/** Writes a face of the same person on each photo. */
const writeSamePersonOnEach = async (testContext: TestContext, user: TestUser): Promise<void> => {
  let personId: string | null = null;
  for (const item of await listItems(testContext, user)) {
    await writeFaces(testContext.db, item, [makeFace(item, { personId })]);
    const face = await testContext.db
      .selectFrom('faces')
      .select('person_id')
      .where('media_item_id', '=', item.id)
      .executeTakeFirstOrThrow();
    personId = face.person_id;
  }
};
