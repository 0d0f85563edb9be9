import type { Page } from 'playwright-core';
import type { Keyboard } from './keyboard.ts';
import type { Person } from './person.ts';
import { assertAccessible } from './visit.ts';

/** Opens the app and signs in, by keys alone. */
export const signInByKeys = async (page: Page, keys: Keyboard, person: Person): Promise<void> => {
  await page.goto('/');
  await page.getByLabel('User name').waitFor();
  await look(page, keys);
  await keys.tabTo('User name');
  await keys.type(person.username);
  await keys.tabTo('Password');
  await keys.type(person.password);
  await keys.press('Enter');
};

/** Has axe look at the page, and Tab go through all of it. */
export const look = async (page: Page, keys: Keyboard): Promise<void> => {
  await assertAccessible(page);
  await keys.tabThrough();
};

/** Goes to a page by the main navigation. */
export const goByKeys = async (page: Page, keys: Keyboard, name: string): Promise<void> => {
  await keys.tabTo(name);
  await keys.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await keys.focusedName();
};
