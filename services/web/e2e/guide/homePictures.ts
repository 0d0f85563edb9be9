import { readFamilyPhotos } from '@hearth/testkit/pictures/familyPhotos.ts';
import type { Page } from 'playwright-core';
import type { Home } from '../testing/openHome.ts';
import { dialogOf, pictures, signIn } from '../testing/steps.ts';
import { untilLookedAt } from '../testing/things.ts';

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
      await pictures(page, /July 21/)
        .first()
        .click();
      await dialogOf(page).getByRole('img').first().waitFor();
      await page.keyboard.press('i');
      await dialogOf(page).getByRole('heading', { name: 'Information' }).first().waitFor();
      await page.locator('.maplibregl-canvas').waitFor();
    },
  },
];

const openWithPictures = async (page: Page, address: string, index = 5): Promise<void> => {
  await page.goto(address);
  await pictures(page).nth(index).waitFor();
};

/** Names for `--only`. */
export const homePictures: readonly string[] = [...shots.map(({ name }) => `home/${name}`), 'home/phone'];

/** Width and height of a desktop and of a phone, in CSS pixels. */
const desktop = { width: 1_280, height: 800 };
const phone = { width: 390, height: 780 };

/** Takes the pictures of the home page, of a library of real photos. `names` selects some of `homePictures`; empty for all. */
export const takeHomePictures = async (
  home: Home,
  names: readonly string[],
  take: (page: Page, name: string) => Promise<void>,
): Promise<void> => {
  const isAsked = (name: string): boolean => names.length === 0 || names.includes(`home/${name}`);
  const person = await home.addPerson();
  await person.store(await readFamilyPhotos());
  await untilLookedAt(home, person);
  const visit = await home.visit({ theme: 'light', width: desktop.width });
  const { page } = visit;
  await signIn(page, person);
  for (const { name, open } of shots) {
    if (!isAsked(name)) continue;
    await open(page);
    await take(page, name);
  }
  if (isAsked('phone')) {
    await page.setViewportSize(phone);
    await openWithPictures(page, '/');
    await take(page, 'phone');
  }
  await visit.end();
};
