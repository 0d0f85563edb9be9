import type { Locator, Page } from 'playwright-core';
import type { Person } from './person.ts';

/** Fills the sign-in form in and sends it. */
export const sendSignIn = async (
  page: Page,
  { username, password }: Pick<Person, 'username' | 'password'>,
): Promise<void> => {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Opens the app at an address, as somebody who signs in. */
export const signIn = async (page: Page, person: Pick<Person, 'username' | 'password'>, path = '/'): Promise<void> => {
  await page.goto(path);
  await sendSignIn(page, person);
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
};

/** Goes to a page by the main navigation. */
export const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click();
};

/** The pictures of the page, or one kind or day of them: "Photo, June 3, 2022". */
export const pictures = (page: Page, name: string | RegExp = /./): Locator => page.getByRole('gridcell', { name });

/** Selects a picture by the mark in its corner. */
export const select = async (picture: Locator): Promise<void> => {
  await picture.hover();
  await picture.locator('[data-mark]').click();
};

/** The number of elements, as soon as it is the one wanted. @throws after the page's patience */
export const waitForCount = async (elements: Locator, count: number): Promise<void> => {
  if (count > 0) await elements.nth(count - 1).waitFor();
  await elements.nth(count).waitFor({ state: 'detached' });
};

/** The id of the item that the viewer shows, as the address names it: Playwright may hear of that after the page shows the viewer. */
export const shownItem = async (page: Page): Promise<string> => {
  await page.waitForURL((url) => url.searchParams.has('item'));
  return new URL(page.url()).searchParams.get('item') ?? '';
};

/** Presses a control of the viewer. These fade when nothing happens for a while: the mouse moves first, as a hand's does. */
export const pressControl = async (viewer: Locator, name: string): Promise<void> => {
  await viewer.hover();
  await viewer.getByRole('button', { name, exact: true }).click();
};

/** What lies over the page: messages at its edge are dialogs too. */
export const dialogOf = (page: Page): Locator => page.locator('[role=dialog]:not([aria-modal=false])');

/** The list of uploads in the corner of the page. */
export const uploadsOf = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });

/** Until nothing on the page is under way any more: no request, no picture, no placeholder, no movement. */
export const untilStill = async (page: Page): Promise<void> => {
  await page.getByRole('main').or(dialogOf(page)).first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=true]') === null &&
      [...document.images].every((image) => image.complete) &&
      document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
  await page.evaluate(() => document.fonts.ready);
};
