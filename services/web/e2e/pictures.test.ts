import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { comparePictures, toReferencePicture } from '@hearth/testkit/pictures/comparePictures.ts';
import { writePictureFeatures } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser } from './testing/testUser.ts';
import { getDialog, getPictures, sendSignIn, waitForCount, waitUntilStill } from './testing/steps.ts';
import { assertAccessible } from './testing/browserSession.ts';

/*
 * Compares the main pages in three widths, light and dark, with the pictures in `pictures/`. After changing the look of
 * a page, recreate them (HEARTH_KEEP_PICTURES=1), review and commit them.
 */

/**
 * Maximum share of different pixels, about the size of a button. Runs on one machine differ far less than this. Other
 * builds of Chromium or fonts differ more.
 */
const maxDifference = 0.02;

/** Time for late updates by live events on a busy machine, in ms. */
const settleTimeoutMs = 10_000;

const referenceFolder = join(import.meta.dirname, 'pictures');
const isUpdating = process.env['HEARTH_KEEP_PICTURES'] === '1';

/** Number of photos in the library and the album. Every page loads them at once. */
const photoCount = 14;

const widths = [360, 768, 1440] as const;
const themes = ['light', 'dark'] as const;

suite('look of the main pages, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  let user: TestUser;
  let albumId: string;
  let shareId: string;
  let similarId: string;
  before(async () => {
    testContext = await startTestContext();
    user = await testContext.createUser('anna');
    const photos = await makePhotos(photoCount);
    // The duplicate group of the latest upload comes first: the newest three photos.
    await user.uploadFiles(photos.slice(0, -3));
    await user.uploadFiles(photos.slice(-3));
    ({ albumId, shareId } = await user.createAlbum('At the lake'));
    await writePlacesAndThings(testContext, user);
    similarId = await writePictureHashes(testContext, user);
    if (isUpdating) await mkdir(referenceFolder, { recursive: true });
  });
  after(() => testContext?.close());

  /** Pages by name, with functions that open them and wait for their contents. */
  const pages: readonly (readonly [name: string, open: (page: Page) => Promise<unknown>])[] = [
    ['photos', (page) => openWithPictures(page, '/')],
    ['search', (page) => openWithPictures(page, '/search?q=june%202022')],
    ['similar', (page) => openWithPictures(page, `/similar/${similarId}`, photoCount - 1)],
    ['duplicates', (page) => page.goto('/duplicates').then(() => page.getByText(/^Best/).nth(1).waitFor())],
    ['albums', (page) => page.goto('/albums').then(() => page.getByRole('link', { name: /At the lake/ }).waitFor())],
    ['album', (page) => openWithPictures(page, `/albums/${albumId}`)],
    ['shared', (page) => openWithPictures(page, `/s/${shareId}`)],
    ['favourites', (page) => page.goto('/favourites').then(() => page.getByText('No favourites yet').waitFor())],
    ['places', (page) => page.goto('/places').then(() => page.locator('.maplibregl-canvas').waitFor())],
    ['things', (page) => page.goto('/things').then(() => page.getByRole('link', { name: /Lake/ }).waitFor())],
    ['explore', (page) => page.goto('/explore').then(() => page.getByRole('heading', { level: 1 }).waitFor())],
    ['trash', (page) => page.goto('/trash').then(() => page.getByText('Trash is empty').waitFor())],
    ['settings', (page) => page.goto('/settings').then(() => page.getByRole('heading', { level: 1 }).waitFor())],
    [
      'viewer',
      async (page) => {
        await page.goto('/');
        await getPictures(page).first().click();
        await getDialog(page).getByRole('img').first().waitFor();
        await page.mouse.move(5, 400);
      },
    ],
    [
      'upload',
      async (page) => {
        await page.goto('/');
        // Two duplicates and a text file: none of them is uploaded.
        const files = [
          ...(await makePhotos(2)),
          { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('milk') },
        ];
        await page.getByLabel('Choose files to upload').first().setInputFiles(files);
        await page.getByText('Uploads finished').first().waitFor();
      },
    ],
    [
      'admin',
      async (page) => {
        await page.goto('/admin');
        await page.getByRole('heading', { name: 'Administration' }).waitFor();
        await sendSignIn(page, testContext.admin);
        await page.getByRole('heading', { name: 'anna' }).or(page.getByText('anna').first()).first().waitFor();
      },
    ],
  ];

  for (const width of widths) {
    test(`${width} pixels wide, light and dark`, async () => {
      const session = await testContext.openSession({ theme: 'light', width });
      const { page } = session;
      const problems: string[] = [];
      /** Compares both themes of a loaded page, because changing the theme takes less time than loading the page twice. */
      const compareThemes = async (name: string): Promise<void> => {
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme });
          await waitUntilDrawn(page);
          // Other tests check light pages, and contrast is the same at each width.
          if (theme === 'dark' && width === 1440) await assertAccessible(page);
          const path = join(referenceFolder, `${name}-${width}-${theme}.webp`);
          if (isUpdating) await writeFile(path, await toReferencePicture(await takePicture(page)));
          const difference = await findMinDifference(page, await readFile(path));
          if (difference > maxDifference) problems.push(`${name}, ${theme}: ${(difference * 100).toFixed(1)} % differ`);
        }
        await page.emulateMedia({ colorScheme: 'light' });
      };
      await page.goto('/');
      await page.getByLabel('User name').waitFor();
      await compareThemes('sign-in');
      await sendSignIn(page, user);
      await waitForCount(getPictures(page), photoCount);
      for (const [name, open] of pages) {
        await open(page);
        await compareThemes(name);
      }
      await session.end();
      assert.deepEqual(problems, []);
    });
  }
});

const takePicture = (page: Page): Promise<Buffer> =>
  page.screenshot({ animations: 'disabled', caret: 'hide', mask: hideVaryingParts(page) });

/** Returns the share of pixels that differ from the stored picture, from 0 to 1. Retries until the page has settled. */
const findMinDifference = async (page: Page, expected: Buffer): Promise<number> => {
  const end = Date.now() + settleTimeoutMs;
  for (;;) {
    const difference = await comparePictures(expected, await takePicture(page));
    if (difference <= maxDifference || Date.now() > end) return difference;
    await page.waitForTimeout(settleTimeoutMs / 20);
  }
};

const openWithPictures = async (page: Page, address: string, count = photoCount): Promise<void> => {
  await page.goto(address);
  await waitForCount(getPictures(page), count);
};

const listNewestFirst = ({ db }: TestContext, { id }: TestUser) =>
  db
    .selectFrom('media_items')
    .select(['id', 'user_id'])
    .where('user_id', '=', id)
    .orderBy('filename', 'desc')
    .execute();

/**
 * Writes hashes and embeddings, as SEARCH does. The first three photos are duplicates, and so are the next two. Returns
 * the id of the first.
 */
const writePictureHashes = async (testContext: TestContext, user: TestUser): Promise<string> => {
  const items = await listNewestFirst(testContext, user);
  const copies = [0, 0, 0, 16, 16].map((bits, n) => ({ bits, angle: bits / 100 + 0.05 * n }));
  // All are similar to the first photo, ranked by this number. Photos with similar hashes have dissimilar embeddings.
  const others = [0, 3, 7, 6, 2, 1, 4, 8, 5].map((rank, n) => ({
    bits: 24 + 8 * Math.floor(n / 2),
    angle: (n % 2 === 0 ? 1 : -1) * (0.44 + 0.02 * rank),
  }));
  for (const [index, features] of [...copies, ...others].entries())
    await writePictureFeatures(testContext.db, items[index]!, { ...features, sharpness: 0.5 ** index });
  return items[0]!.id;
};

const writePlacesAndThings = async (testContext: TestContext, user: TestUser): Promise<void> => {
  const items = await listNewestFirst(testContext, user);
  const places = [
    { countryCode: 'CH', country: 'Switzerland', city: 'Zurich' },
    { countryCode: 'PT', country: 'Portugal', city: 'Lisbon' },
    { countryCode: 'CH', country: 'Switzerland', city: 'Bern' },
  ];
  await transaction(testContext.db, async (trx) => {
    for (const [index, item] of items.slice(0, 6).entries()) {
      await writeItemPlace(trx, item.id, places[index % places.length]!);
      await writeItemThings(trx, item, index < 4 ? [{ name: 'Lake' }, { name: 'Sky' }] : [{ name: 'Mountain' }]);
    }
  });
};

/** Selects elements that differ between runs: disk usage, WebGL canvas, times and version. */
const hideVaryingParts = (page: Page) => [
  page.getByRole('meter'),
  page.getByText(/\d (MB|GB|TB)\b/),
  page.locator('.maplibregl-map'),
  page.locator('p:has(time)'),
  page.getByText(/^API version \d/),
];

/** Waits until the page has settled and been painted. */
const waitUntilDrawn = async (page: Page): Promise<void> => {
  await waitUntilStill(page);
  // The contents are painted within two frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};
