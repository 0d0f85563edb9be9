import type { Locator, Page } from 'playwright-core';
import type { TestUser } from './testUser.ts';

export const sendSignIn = async (
  page: Page,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
): Promise<void> => {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

export const signIn = async (page: Page, user: Pick<TestUser, 'username' | 'password'>, path = '/'): Promise<void> => {
  await page.goto(path);
  await sendSignIn(page, user);
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
};

/** Opens a page by the main navigation. */
export const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click();
};

/** Returns the grid cells of the page, optionally by name: "Photo, June 3, 2022". */
export const getPictures = (page: Page, name: string | RegExp = /./): Locator => page.getByRole('gridcell', { name });

/** Selects a picture by its checkbox. */
export const select = async (picture: Locator): Promise<void> => {
  await picture.hover();
  await picture.locator('[data-mark]').click();
};

/** Waits until exactly `count` elements exist. @throws Error after the page's timeout */
export const waitForCount = async (elements: Locator, count: number): Promise<void> => {
  if (count > 0) await elements.nth(count - 1).waitFor();
  await elements.nth(count).waitFor({ state: 'detached' });
};

/**
 * Returns the id of the item in the viewer, from the URL. Waits, because Playwright may learn of the URL after the
 * viewer has opened.
 */
export const getShownItemId = async (page: Page): Promise<string> => {
  await page.waitForURL((url) => url.searchParams.has('item'));
  return new URL(page.url()).searchParams.get('item') ?? '';
};

/** Clicks a control of the viewer. Moves the mouse first, because controls fade when idle. */
export const pressControl = async (viewer: Locator, name: string): Promise<void> => {
  await viewer.hover();
  await viewer.getByRole('button', { name, exact: true }).click();
};

/** Modal dialogs. Toasts are non-modal dialogs. */
export const getDialog = (page: Page): Locator => page.locator('[role=dialog]:not([aria-modal=false])');

export const getUploadPanel = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });

/** Waits until the page has settled: no requests, loading pictures, placeholders or animations. */
export const waitUntilStill = async (page: Page): Promise<void> => {
  await page.getByRole('main').or(getDialog(page)).first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=true]') === null &&
      // Lazy images below the screen are not loaded.
      [...document.images].every(
        (image) => image.complete || (image.loading === 'lazy' && image.getBoundingClientRect().top > innerHeight),
      ) &&
      document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
  await page.evaluate(() => document.fonts.ready);
};
