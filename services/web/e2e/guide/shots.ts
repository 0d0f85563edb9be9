import { drawLandscapes } from '@hearth/core/testing/landscapes.ts';
import type { Page } from 'playwright-core';
import { dialogOf, pictures, sendSignIn } from '../testing/steps.ts';

/** What the library holds that the pictures are taken of, and who looks after it. */
export interface Shown {
  readonly albumId: string;
  readonly admin: { readonly username: string; readonly password: string };
}

/** A picture of the guide: the name of its files, and how to come to what it shows, as somebody who is signed in. */
export interface Shot {
  readonly name: string;
  readonly open: (page: Page, shown: Shown) => Promise<unknown>;
}

const openWithPictures = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await pictures(page).nth(5).waitFor();
};

const openPhoto = async (page: Page, name: string | RegExp, index: number): Promise<void> => {
  await openWithPictures(page, '/');
  await pictures(page, name).nth(index).click();
  await dialogOf(page).getByRole('img').first().waitFor();
};

const openAdmin = async (page: Page, admin: Shown['admin']): Promise<void> => {
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Administration' }).waitFor();
  await sendSignIn(page, admin);
  await page.getByText('bela').first().waitFor();
};

/** Has a heading at the top of the page, or in its middle. */
const scrollTo = (page: Page, heading: string, block: 'start' | 'center'): Promise<void> =>
  page
    .getByRole('heading', { name: heading })
    .evaluate((element, where) => element.scrollIntoView({ block: where }), block);

/** Every picture of the user guide, in the order in which they are taken. */
export const shots: readonly Shot[] = [
  { name: 'timeline', open: (page) => openWithPictures(page, '/') },
  {
    name: 'selection',
    open: async (page) => {
      await openWithPictures(page, '/');
      for (const index of [1, 3, 4]) {
        await pictures(page).nth(index).hover();
        await pictures(page).nth(index).locator('[data-mark]').click();
      }
      await page.getByRole('region', { name: 'Selected items' }).waitFor();
    },
  },
  {
    name: 'information',
    open: async (page) => {
      await openPhoto(page, /July 18/, 0);
      await page.keyboard.press('i');
      await dialogOf(page).getByRole('heading', { name: 'Information' }).first().waitFor();
      await page.locator('.maplibregl-canvas').waitFor();
    },
  },
  { name: 'viewer', open: (page) => openPhoto(page, /July 17/, 1).then(() => page.mouse.move(640, 400)) },
  { name: 'album', open: (page, { albumId }) => openWithPictures(page, `/albums/${albumId}`) },
  { name: 'shared-album', open: (page, { albumId }) => openWithPictures(page, `/s/${albumId}`) },
  {
    name: 'explore',
    open: (page) => page.goto('/explore').then(() => page.getByRole('heading', { name: 'On this day' }).waitFor()),
  },
  {
    name: 'people',
    open: (page) => page.goto('/people').then(() => page.getByRole('link', { name: /Who is this/ }).waitFor()),
  },
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
  {
    name: 'things',
    open: (page) => page.goto('/things').then(() => page.getByRole('link', { name: /Mountain/ }).waitFor()),
  },
  { name: 'search', open: (page) => page.goto('/search?q=ada%20lake').then(() => pictures(page).nth(2).waitFor()) },
  {
    name: 'upload',
    open: async (page) => {
      await openWithPictures(page, '/');
      const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('milk') };
      // What is there already is not sent again; what is no photo is not taken.
      await page
        .getByLabel('Choose files to upload')
        .first()
        .setInputFiles([...(await drawLandscapes()).slice(0, 2), notes]);
      await page.getByText('Uploads are done').first().waitFor();
      const expand = page.getByRole('button', { name: 'Show the list' });
      if (await expand.isVisible()) await expand.click();
    },
  },
  {
    name: 'processing',
    open: async (page) => {
      await openWithPictures(page, '/');
      const [photo] = await drawLandscapes();
      // Cut off behind its beginning, by which it is known for a photo.
      const broken = { ...photo!, name: 'IMG_4090.jpg', buffer: photo!.buffer.subarray(0, 200) };
      await page.getByLabel('Choose files to upload').first().setInputFiles([broken]);
      await page.getByText('Uploads are done').first().waitFor();
      await page.goto('/settings');
      // What waits is listed above, and leaves the list one by one.
      await page.getByText('Nothing is being worked on').waitFor();
      await scrollTo(page, 'This did not work', 'center');
    },
  },
  { name: 'users', open: (page, { admin }) => openAdmin(page, admin) },
  {
    name: 'audit',
    open: async (page, { admin }) => {
      for (const username of ['bela', 'ada', 'ada'])
        await page.request.post('/v1/auth/login', { data: { username, password: 'the morning sun' } });
      await openAdmin(page, admin);
      await page.getByText('Tried to sign in').first().waitFor();
      await scrollTo(page, 'What happened', 'start');
    },
  },
];

/** The picture that is taken before there is a library. */
export const firstVisit = 'first-visit';

/** The name of every picture of the guide. */
export const pictureNames: readonly string[] = [firstVisit, ...shots.map(({ name }) => name)];
