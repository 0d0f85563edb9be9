import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { freezeChildren } from '@hearth/testkit/servers/childProcesses.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { lacksModels, testStore } from '@hearth/testkit/models/testModels.ts';
import { makePhotos } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import { makeCopy, readPicture, waitUntilProcessed } from './testing/things.ts';
import type { TestUser } from './testing/testUser.ts';
import { getDialog, goTo, getPictures, pressControl, select, signIn, waitForCount } from './testing/steps.ts';
import { assertAccessible } from './testing/browserSession.ts';

suite('search, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  let user: TestUser;
  before(async () => {
    // Uses a small test model: the default models are not among the test data.
    testContext = await startTestContext({
      env: { HEARTH_MODEL_DIR: testStore.directory, HEARTH_SEARCH_MODEL: 'concept-lite' },
    });
    user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(3));
  });
  after(() => testContext?.close());

  test('finds a photo by file name, and suggests searches when nothing is found', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    await box.fill('IMG_2002');
    await box.press('Enter');
    await page.getByRole('heading', { name: '“IMG_2002”' }).waitFor();
    await waitForCount(getPictures(page), 1);
    await getPictures(page, 'Photo, June 2, 2022').waitFor();
    await assertAccessible(page);

    await box.fill('narwhal');
    await box.press('Enter');
    await page.getByText('No results for “narwhal”').waitFor();
    await page.getByText('the beginning of a file name, such as').waitFor();
    await assertAccessible(page);
    await session.end();
  });

  test('exposes suggestions next to the search box, and keeps the page visible to screen readers', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await waitForCount(getPictures(page), 3);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    const suggestions = page.getByRole('search').getByRole('listbox');
    await box.fill('June 2022');
    await suggestions.getByRole('option', { name: 'June 2022' }).waitFor();
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    const snapshot = await page.locator('body').ariaSnapshot();
    for (const part of [/- banner/, /- navigation "Main navigation"/, /- main/, /- gridcell "Photo, June 3, 2022"/])
      assert.match(snapshot, part);
    await assertAccessible(page);

    // An empty list of suggestions is not announced as open.
    await box.fill('narwhal');
    await suggestions.waitFor({ state: 'detached' });
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
    await box.fill('June');
    await suggestions.waitFor();
    await box.press('Escape');
    await suggestions.waitFor({ state: 'detached' });
    await getPictures(page).first().waitFor();
    await session.end();
  });

  test('finds photos by content with reasons, and similar photos by shortcut', { skip: lacksModels }, async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const finder = await testContext.createUser();
    await finder.uploadFiles(
      await Promise.all(['zebra_green_brown', 'elephants', 'dog_toshi_red', 'cat_black', 'limes'].map(readPicture)),
    );
    await waitUntilProcessed(testContext, finder);
    await signIn(page, finder);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    await box.fill('zebra');
    await box.press('Enter');
    const zebra = getPictures(page, /matches: .*similar content/);
    await zebra.waitFor();
    await page.mouse.move(0, 0);
    const caption = zebra.getByText('similar content');
    assert.equal(await caption.isVisible(), false, 'the caption is visible before hover');
    await zebra.hover();
    await caption.waitFor();
    await assertAccessible(page);

    await zebra.click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await page.keyboard.press('i');
    await viewer.getByText(/^Matches: .*similar content/).waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');

    // Only the cat and the dog are similar to each other.
    await box.fill('cat');
    await box.press('Enter');
    await page.getByRole('heading', { name: 'cat' }).waitFor();
    await getPictures(page, /matches: .*cat/i)
      .first()
      .click();
    await viewer.getByRole('img').first().waitFor();
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Similar photos' }).waitFor();
    await waitForCount(getPictures(page), 1);
    await page.getByRole('link', { name: 'Photo to compare with' }).waitFor();
    await assertAccessible(page);
    await page.goBack();
    await viewer.getByRole('img').first().waitFor();
    await pressControl(viewer, 'Find similar');
    await waitForCount(getPictures(page), 1);

    // A query without a filter, then with a filter that no result matches.
    await box.fill('elephant');
    await box.press('Enter');
    await getPictures(page, /similar content/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    const dialog = getDialog(page);
    await dialog.getByRole('combobox', { name: 'Person, place' }).fill('zebr');
    await dialog.getByRole('option', { name: /Zebra/ }).waitFor();
    await assertAccessible(page);
    await dialog.getByRole('combobox', { name: 'Person, place' }).press('Enter');
    await dialog.getByRole('button', { name: 'Remove filter: Zebra' }).waitFor();
    await dialog.getByLabel('From', { exact: true }).fill('2001-01-01');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.waitForURL(/things=.*from=2001-01-01/);
    await page.getByRole('button', { name: 'Remove filter: since January 1, 2001' }).waitFor();
    await page.getByText('No results with these filters').waitFor();
    await page.goBack();
    await getPictures(page, /similar content/)
      .first()
      .waitFor();

    // The query's embedding is too late for the first response, as if the model were still loading.
    const releaseRequest = await freezeChildren(testContext.api.pid);
    await box.fill('dog');
    await box.press('Enter');
    await getPictures(page, /matches/)
      .first()
      .waitFor();
    await page.getByText('Loading search').waitFor();
    await box.fill('castle');
    await box.press('Enter');
    await page.getByText('The search model is starting').waitFor();
    assert.equal(await page.getByText('No results').count(), 0);
    await assertAccessible(page);
    const semanticResponse = page.waitForResponse(
      (response) => response.url().includes('castle') && response.headers()['x-search-mode'] === 'meaning',
    );
    releaseRequest();
    await semanticResponse;
    await page.getByText('No results for “castle”').waitFor();
    await session.end();
  });

  test('reviews duplicates and undoes the review', { skip: lacksModels }, async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const keeper = await testContext.createUser();
    const original = await readPicture('dog_toshi_red');
    const darker = await makeCopy(original, 'darkened');
    const copies = [await makeCopy(original, 'recompressed'), await makeCopy(original, 'quarter')];
    await keeper.uploadFiles([original, ...copies, await readPicture('limes')]);
    await waitUntilProcessed(testContext, keeper);
    await signIn(page, keeper);
    await goTo(page, 'Explore');
    await page.getByRole('link', { name: 'Show all: Duplicates' }).click();
    let group = page.getByRole('region', { name: '3 similar photos' });
    await group.waitFor();
    await group.getByText(/^Best: /).waitFor();
    assert.equal(await group.getByRole('checkbox', { checked: true }).count(), 1);
    await assertAccessible(page);

    await group.getByRole('checkbox', { name: 'Keep quarter.jpg' }).check();
    await group.getByRole('button', { name: 'Keep 2, trash the others' }).waitFor();
    await group.getByRole('checkbox', { name: 'Keep quarter.jpg' }).uncheck();
    await group.getByRole('button', { name: 'Keep best, trash the others' }).click();
    await page.getByText('2 photos moved to trash').waitFor();
    await page.getByText('No duplicates', { exact: true }).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await group.waitFor();

    // Compares the photos in the viewer.
    await group.getByRole('link', { name: `Compare: ${original.name}` }).click();
    await getDialog(page).getByRole('img').first().waitFor();
    await getDialog(page).getByText('1 of 3', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await waitForCount(getPictures(page), 3);
    await getPictures(page, /, Best$/).waitFor();
    await assertAccessible(page);

    // Keeps a photo other than the suggested one.
    await select(getPictures(page).last());
    await page.getByRole('button', { name: 'Keep, and move the others to the trash' }).click();
    await page.getByText('2 photos moved to trash').waitFor();
    await page.getByText('No duplicates', { exact: true }).waitFor();

    // Another duplicate joins the reviewed group.
    await keeper.uploadFiles([darker]);
    await waitUntilProcessed(testContext, keeper);
    await page.reload();
    const joined = page.getByRole('region', { name: '2 similar photos' });
    await joined.getByText('2 photos of this group are already in the trash.').waitFor();
    await joined.getByRole('button', { name: 'Undo' }).click();
    const four = page.getByRole('region', { name: '4 similar photos' });
    await four.waitFor();
    await assertAccessible(page);

    // Another duplicate joins during a review.
    await keeper.uploadFiles([await makeCopy(darker, 'recompressed')]);
    await waitUntilProcessed(testContext, keeper);
    session.expect(/409 .*resolve/);
    await four.getByRole('button', { name: 'Keep best, trash the others' }).click();
    await page.getByText('Another photo was added to this group.').first().waitFor();
    group = page.getByRole('region', { name: '5 similar photos' });
    await group.getByText(original.name).waitFor();
    assert.match(await group.getByRole('listitem').first().innerText(), new RegExp(`^Best.*${original.name}`, 's'));
    assert.equal(await group.getByRole('button', { name: /trash the others/ }).count(), 0, 'a photo is not shown');
    await group.getByRole('link', { name: 'Show all 5' }).click();
    await waitForCount(getPictures(page), 5);
    await page.getByRole('button', { name: 'Keep best, trash the others' }).waitFor();
    await assertAccessible(page);
    await page.goBack();
    await group.getByRole('link', { name: 'Show all 5' }).waitFor();
    await assertAccessible(page);

    await group.getByRole('button', { name: 'Not duplicates' }).press('Enter');
    await page.getByText('Marked as not duplicates').waitFor();
    await page.getByText('No duplicates', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Show reviewed' }).click();
    await group.getByText('All were kept.').waitFor();
    await assertAccessible(page);
    await group.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Nothing reviewed yet').waitFor();
    await page.getByRole('link', { name: 'Show unreviewed' }).click();
    await group.waitFor();
    await session.end();
  });

  test('works by keyboard: skip link, search, grid and viewer', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    await page.goto('/');
    await page.getByLabel('User name').waitFor();
    const { keyboard } = page;
    await keyboard.press('Tab');
    await keyboard.type(user.username);
    await keyboard.press('Tab');
    await keyboard.type(user.password);
    await keyboard.press('Enter');
    await waitForCount(getPictures(page), 3);

    await keyboard.press('Tab');
    assert.equal(await focusedName(), 'Skip to content');
    await keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
    await keyboard.press('/');
    assert.equal(await focusedName(), 'Search your photos');
    await keyboard.press('Escape');

    // Tabs through all other controls to the grid.
    for (let presses = 0; !(await focusedName()).startsWith('Photo, '); presses += 1) {
      assert.ok(presses < 40, 'Tab does not reach the pictures');
      await keyboard.press('Tab');
    }
    assert.equal(await focusedName(), 'Photo, June 3, 2022');
    await keyboard.press('ArrowRight');
    assert.equal(await focusedName(), 'Photo, June 2, 2022');
    await keyboard.press('Enter');
    const viewer = getDialog(page);
    await viewer.waitFor();
    await keyboard.press('ArrowRight');
    // Announced by screen readers when the picture is shown.
    await viewer.getByText('June 1, 2022').first().waitFor({ state: 'attached' });
    await keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Photo, June 1, 2022');
    await session.end();

    async function focusedName(): Promise<string> {
      return page.evaluate(() => {
        const focused = document.activeElement;
        return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
      });
    }
  });
});
