import { readFamilyPhotos } from '@hearth/testkit/pictures/familyPhotos.ts';
import type { Page } from 'playwright-core';
import type { TestContext } from '../testing/startTestContext.ts';
import { getDialog, getPictures, signIn } from '../testing/steps.ts';
import { waitUntilProcessed } from '../testing/things.ts';

/** Pictures of the home page of the site: file name, and a function that opens its page as a signed-in user. */
const shots: readonly { readonly name: string; readonly open: (page: Page) => Promise<unknown> }[] = [
  { name: 'timeline', open: (page) => openWithPictures(page, '/') },
  {
    name: 'places',
    open: async (page) => {
      await page.goto('/places');
      await page.locator('.maplibregl-canvas').waitFor();
      await page
        .getByRole('button', { name: /photos/ })
        .first()
        .waitFor();
    },
  },
  { name: 'search', open: (page) => openWithPictures(page, '/search?q=castle', 1) },
  {
    name: 'information',
    open: async (page) => {
      await openWithPictures(page, '/');
      await getPictures(page, /July 21/)
        .first()
        .click();
      await getDialog(page).getByRole('img').first().waitFor();
      await page.keyboard.press('i');
      await getDialog(page).getByRole('heading', { name: 'Information' }).first().waitFor();
      await page.locator('.maplibregl-canvas').waitFor();
    },
  },
];

const openWithPictures = async (page: Page, address: string, index = 5): Promise<void> => {
  await page.goto(address);
  await getPictures(page).nth(index).waitFor();
};

/** Names for `--only`. */
export const homePictures: readonly string[] = [...shots.map(({ name }) => `home/${name}`), 'home/phone'];

/** Width and height of a desktop and of a phone, in CSS pixels. */
const desktop = { width: 1_280, height: 800 };
const phone = { width: 390, height: 780 };

/** Takes the home page's pictures in a library of real photos. `names` selects some of `homePictures`; empty for all. */
export const takeHomePictures = async (
  testContext: TestContext,
  names: readonly string[],
  take: (page: Page, name: string) => Promise<void>,
): Promise<void> => {
  const isRequested = (name: string): boolean => names.length === 0 || names.includes(`home/${name}`);
  const user = await testContext.createUser();
  await user.uploadFiles(await readFamilyPhotos());
  await waitUntilProcessed(testContext, user);
  const session = await testContext.openSession({ theme: 'light', width: desktop.width });
  const { page } = session;
  await signIn(page, user);
  for (const { name, open } of shots) {
    if (!isRequested(name)) continue;
    await open(page);
    await take(page, name);
  }
  if (isRequested('phone')) {
    await page.setViewportSize(phone);
    await openWithPictures(page, '/');
    await take(page, 'phone');
  }
  await session.end();
};
