import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** A page as it is used by somebody without a mouse. */
export interface Keyboard {
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses Tab, or Shift+Tab, until what has the focus is called so. @throws AssertionError where that does not come */
  tabTo(name: string | RegExp, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Presses Tab until everything on the page had the focus, and answers the names. @throws AssertionError where one of them does not show it */
  tabThrough(): Promise<readonly string[]>;
  /** Waits until something called so has the focus. @throws AssertionError where something else keeps it, or where it cannot be seen */
  waitForFocus(name: string): Promise<void>;
  /** The name of what has the focus, as soon as something has it. @throws AssertionError where nothing has, or where it cannot be seen */
  focusedName(): Promise<string>;
}

/** What is known of what has the focus. */
interface Focused {
  readonly name: string;
  readonly isBody: boolean;
  /** What of it a person would miss; empty where it is seen well. */
  readonly wrong: string;
}

/** More than any page has; with a list of pictures it is one for each of its parts. */
const mostPresses = 120;

/** How long the focus may take to come where it belongs, on a busy machine. */
const patienceMs = 20_000;

export const useKeyboard = (page: Page): Keyboard => {
  const { keyboard } = page;
  const focusedName = async (): Promise<string> => {
    await page
      .waitForFunction(() => document.activeElement !== null && document.activeElement !== document.body, undefined, {
        timeout: patienceMs,
      })
      .catch(() => assert.fail(`nothing has the focus on ${page.url()}`));
    const focused = await lookAtFocus(page);
    assert.equal(focused.wrong, '', `${focused.name} on ${page.url()}`);
    return focused.name;
  };
  /** Tab leaves the page at its end: the body has the focus then, once. */
  const pressTab = async (key: string): Promise<Focused> => {
    await keyboard.press(key);
    let focused = await lookAtFocus(page);
    // What has just come into a page may push the focus off the screen for a moment, until the page has scrolled after it.
    for (const end = Date.now() + patienceMs; focused.wrong !== '' && Date.now() < end;) {
      await page.waitForTimeout(20);
      focused = await lookAtFocus(page);
    }
    assert.equal(focused.wrong, '', `${focused.name} on ${page.url()}`);
    return focused;
  };
  return {
    press: (key) => keyboard.press(key),
    type: (text) => keyboard.type(text),
    focusedName,
    waitForFocus: async (name) => {
      const end = Date.now() + patienceMs;
      while ((await lookAtFocus(page)).name !== name && Date.now() < end) await page.waitForTimeout(20);
      assert.equal(await focusedName(), name, page.url());
    },
    tabTo: async (name, key = 'Tab') => {
      const seen: string[] = [];
      for (let presses = 0; presses < mostPresses; presses += 1) {
        const focused = await pressTab(key);
        seen.push(focused.name);
        if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) return;
      }
      assert.fail(`${String(name)} is not reached on ${page.url()}: ${seen.slice(0, 40).join(' | ')}`);
    },
    tabThrough: async () => {
      const names: string[] = [];
      for (let presses = 0; presses < mostPresses; presses += 1) {
        const { name, isBody } = await pressTab('Tab');
        if (isBody) return names;
        names.push(name);
      }
      assert.fail(`no end of ${page.url()}: ${names.slice(-20).join(' | ')}`);
    },
  };
};

const lookAtFocus = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: '', isBody: true, wrong: '' };
    const labelledBy = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
    const label = 'labels' in element ? (element.labels as NodeListOf<HTMLElement> | null)?.[0] : undefined;
    const name = (
      element.getAttribute('aria-label') ||
      labelledBy.trim() ||
      label?.textContent ||
      element.textContent ||
      element.id
    ).trim();
    // The content itself, which the skip link leads to, and a dialog as a whole are there to be read on from.
    if (element.id === 'content' || element.getAttribute('role') === 'dialog')
      return { name: `${element.getAttribute('role') ?? 'content'}: ${name}`, isBody: false, wrong: '' };
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the browser is handed this function alone
    const isOutlined = (one: Element | null): boolean => {
      if (one === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    // A control that is drawn by what is around or beside it shows the focus there.
    const around: (Element | null)[] = [element, element.nextElementSibling, element.previousElementSibling];
    for (
      let parent = element.parentElement, depth = 0;
      parent !== null && depth < 3;
      parent = parent.parentElement, depth += 1
    )
      around.push(parent);
    const shown = around.find(isOutlined);
    if (shown === undefined || shown === null) return { name, isBody: false, wrong: 'shows no focus' };
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const isOnScreen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return { name, isBody: false, wrong: isOnScreen ? '' : 'is not on the screen' };
  });
