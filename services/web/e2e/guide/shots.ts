import { drawLandscapes } from '@hearth/testkit/pictures/landscapes.ts';
import type { Page } from 'playwright-core';
import type { TestUser, PickedFile } from '../testing/testUser.ts';
import { getDialog, getPictures, sendSignIn, getUploadPanel } from '../testing/steps.ts';
import { makeCopy } from '../testing/things.ts';

/** Contents and accounts of the library in the pictures. */
export interface Shown {
  readonly albumId: string;
  readonly shareId: string;
  readonly user: Pick<TestUser, 'id' | 'username' | 'password'>;
  readonly admin: { readonly username: string; readonly password: string };
  /** Uploads files and resolves when they are processed. */
  addPhotos(files: readonly PickedFile[]): Promise<void>;
}

/** Picture of the guide: file name, and a function that opens its page as a signed-in user. */
export interface Shot {
  readonly name: string;
  readonly open: (page: Page, shown: Shown) => Promise<unknown>;
}

const openWithPictures = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await getPictures(page).nth(5).waitFor();
};

const openPhoto = async (page: Page, name: string | RegExp, index: number): Promise<void> => {
  await openWithPictures(page, '/');
  await getPictures(page, name).nth(index).click();
  await getDialog(page).getByRole('img').first().waitFor();
};

const openAdmin = async (page: Page, admin: Shown['admin']): Promise<void> => {
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Administration' }).waitFor();
  await sendSignIn(page, admin);
  await page.getByText('bela').first().waitFor();
};

const scrollTo = (page: Page, heading: string, block: 'start' | 'center'): Promise<void> =>
  page
    .getByRole('heading', { name: heading })
    .evaluate((element, where) => element.scrollIntoView({ block: where }), block);

const openUser = async (page: Page, admin: Shown['admin'], button: string): Promise<void> => {
  await openAdmin(page, admin);
  await page.getByRole('button', { name: button }).click();
  await getDialog(page).getByLabel('Name', { exact: true }).waitFor();
};

/** User agents of other devices. */
const otherDevices = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
];

const setQuota = async (page: Page, { admin, user }: Shown, quotaBytes: number | null): Promise<void> => {
  const basic = Buffer.from(`${admin.username}:${admin.password}`).toString('base64');
  const response = await page.request.put(`/v1/users/${user.id}`, {
    headers: { authorization: `Basic ${basic}` },
    data: { quotaBytes },
  });
  if (!response.ok()) throw new Error(await response.text());
};

/** Pictures of the user guide, in the order of their creation. */
export const shots: readonly Shot[] = [
  { name: 'timeline', open: (page) => openWithPictures(page, '/') },
  {
    name: 'selection',
    open: async (page) => {
      await openWithPictures(page, '/');
      for (const index of [1, 3, 4]) {
        await getPictures(page).nth(index).hover();
        await getPictures(page).nth(index).locator('[data-mark]').click();
      }
      await page.getByRole('region', { name: 'Selected items' }).waitFor();
    },
  },
  {
    name: 'information',
    open: async (page) => {
      await openPhoto(page, /July 18/, 0);
      await page.keyboard.press('i');
      await getDialog(page).getByRole('heading', { name: 'Information' }).first().waitFor();
      await page.locator('.maplibregl-canvas').waitFor();
    },
  },
  { name: 'viewer', open: (page) => openPhoto(page, /July 17/, 1).then(() => page.mouse.move(640, 400)) },
  { name: 'album', open: (page, { albumId }) => openWithPictures(page, `/albums/${albumId}`) },
  { name: 'shared-album', open: (page, { shareId }) => openWithPictures(page, `/s/${shareId}`) },
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
  { name: 'search', open: (page) => page.goto('/search?q=ada%20lake').then(() => getPictures(page).nth(2).waitFor()) },
  {
    name: 'upload',
    open: async (page) => {
      await openWithPictures(page, '/');
      const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('milk') };
      // Two duplicates and a text file: none of them is uploaded.
      await page
        .getByLabel('Choose files to upload')
        .first()
        .setInputFiles([...(await drawLandscapes()).slice(0, 2), notes]);
      await page.getByText('Uploads finished').first().waitFor();
      const expand = page.getByRole('button', { name: 'Show list' });
      if (await expand.isVisible()) await expand.click();
    },
  },
  {
    name: 'processing',
    open: async (page) => {
      await openWithPictures(page, '/');
      const [photo] = await drawLandscapes();
      // Truncated after the header that identifies it as a photo.
      const broken = { ...photo!, name: 'IMG_4090.jpg', buffer: photo!.buffer.subarray(0, 200) };
      await page.getByLabel('Choose files to upload').first().setInputFiles([broken]);
      await page.getByText('Uploads finished').first().waitFor();
      await page.goto('/settings/processing');
      // The list of pending items empties item by item.
      await page.getByText('Nothing is processing right now').waitFor();
      await scrollTo(page, 'Failed', 'center');
    },
  },
  { name: 'users', open: (page, { admin }) => openAdmin(page, admin) },
  {
    name: 'audit',
    open: async (page, { admin }) => {
      for (const username of ['bela', 'ada', 'ada'])
        await page.request.post('/v1/auth/login', { data: { username, password: 'the morning sun' } });
      await openAdmin(page, admin);
      await page.getByText('Sign-in failed').first().waitFor();
      await scrollTo(page, 'Audit log', 'start');
    },
  },
  {
    name: 'add-person',
    open: async (page, { admin }) => {
      await openUser(page, admin, 'Add user');
      await getDialog(page).getByLabel('Name', { exact: true }).fill('Cleo');
      await getDialog(page).getByLabel('User name').fill('cleo');
    },
  },
  {
    name: 'features',
    open: async (page, { admin }) => {
      await openUser(page, admin, 'Edit Bela');
      const people = getDialog(page).getByRole('switch', { name: 'People' });
      await people.click();
      await people.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'sessions',
    open: async (page, { user: { username, password } }) => {
      await page.goto('/settings/sessions');
      // Ends the sessions of the scripts that filled the library.
      await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
      await page.getByText('node', { exact: true }).first().waitFor({ state: 'detached' });
      for (const device of otherDevices)
        await page.request.post('/v1/auth/login', {
          headers: { 'user-agent': device },
          data: { username, password },
        });
      await page.reload();
      await page.getByText('Firefox · Windows').first().waitFor();
      await scrollTo(page, 'Sessions', 'center');
    },
  },
  {
    name: 'duplicates',
    open: async (page, { addPhotos }) => {
      const photo = (await drawLandscapes())[0]!;
      const smaller = { ...(await makeCopy(photo, 'quarter')), name: `small ${photo.name}` };
      await addPhotos([smaller, { ...(await makeCopy(photo, 'recompressed')), name: `copy of ${photo.name}` }]);
      await page.goto('/duplicates');
      await page
        .getByRole('region', { name: /similar photos/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'working',
    open: async (page) => {
      await page.goto('/settings/processing');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByText('Running').waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused').first().waitFor();
      await scrollTo(page, 'Reprocess', 'center');
    },
  },
  {
    name: 'full-account',
    open: async (page, shown) => {
      await setQuota(page, shown, 1_000);
      await openWithPictures(page, '/');
      const fresh = (await drawLandscapes()).slice(0, 3);
      const changed = await Promise.all(
        fresh.map(async (photo) => Object.assign(await makeCopy(photo, 'mirrored'), { name: photo.name })),
      );
      await page.getByLabel('Choose files to upload').first().setInputFiles(changed);
      await getUploadPanel(page).getByText('Your storage is full').first().waitFor();
      const expand = page.getByRole('button', { name: 'Show list' });
      if (await expand.isVisible()) await expand.click();
      await setQuota(page, shown, null);
    },
  },
];

/** Picture taken before the library has contents. */
export const firstVisit = 'first-visit';

export const pictureNames: readonly string[] = [firstVisit, ...shots.map(({ name }) => name)];
