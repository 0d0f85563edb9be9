import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Keyboard } from './keyboard.ts';
import type { TestUser } from './testUser.ts';
import { assertAccessible } from './browserSession.ts';

export const signInByKeys = async (page: Page, keys: Keyboard, user: TestUser): Promise<void> => {
  await page.goto('/');
  await page.getByLabel('User name').waitFor();
  await checkPage(page, keys);
  await keys.tabTo('User name');
  await keys.type(user.username);
  await keys.tabTo('Password');
  await keys.type(user.password);
  await keys.press('Enter');
};

/** Checks the page with axe and tabs through it. */
export const checkPage = async (page: Page, keys: Keyboard): Promise<void> => {
  await assertAccessible(page);
  await keys.tabThrough();
};

export const navigateByKeys = async (page: Page, keys: Keyboard, name: string): Promise<void> => {
  await keys.tabTo(name);
  await keys.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await keys.focusedName();
};

/** Tabs to the grid, moves to a picture by arrow keys and selects it. */
export const selectPicture = async (keys: Keyboard, name: string | RegExp): Promise<void> => {
  const isWanted = (found: string): boolean => (typeof name === 'string' ? found === name : name.test(found));
  await keys.tabTo(/^Photo, /);
  const seen = [await keys.focusedName()];
  for (const key of ['ArrowLeft', 'ArrowLeft', ...Array.from({ length: 5 }, () => 'ArrowRight')]) {
    if (isWanted(seen.at(-1)!)) break;
    await keys.press(key);
    seen.push(await keys.focusedName());
  }
  assert.ok(isWanted(seen.at(-1)!), `${String(name)} is not reached by the arrows: ${seen.join(' | ')}`);
  await keys.press('Space');
};

export const undoByKeys = async (page: Page, keys: Keyboard, message: string): Promise<void> => {
  const toast = page.getByRole('dialog', { name: message });
  await toast.waitFor();
  await keys.press('F6');
  await keys.tabTo('Undo');
  await keys.press('Enter');
  await toast.waitFor({ state: 'detached' });
  await keys.focusedName();
};
