import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

export interface Keyboard {
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses Tab or Shift+Tab until the named element has focus. @throws AssertionError if it is never reached */
  tabTo(name: string | RegExp, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /**
   * Presses Tab through all focusable elements and returns their names. @throws AssertionError if one has no visible
   * focus
   */
  tabThrough(): Promise<readonly string[]>;
  /** Waits until the named element has focus. @throws AssertionError after a timeout, or if the focus is not visible */
  waitForFocus(name: string): Promise<void>;
  /**
   * Returns the name of the focused element, once there is one. @throws AssertionError after a timeout, or if the focus
   * is not visible
   */
  focusedName(): Promise<string>;
}

interface Focused {
  readonly name: string;
  readonly isBody: boolean;
  /** Problem with the visibility of the focus; empty if none. */
  readonly problem: string;
}

/** Maximum number of Tab presses. No page has as many focusable elements: each picture grid counts as one. */
const maxPresses = 120;

/** Timeout for focus changes on a busy machine, in ms. */
const timeoutMs = 20_000;

export const useKeyboard = (page: Page): Keyboard => {
  const { keyboard } = page;
  const focusedName = async (): Promise<string> => {
    await page
      .waitForFunction(() => document.activeElement !== null && document.activeElement !== document.body, undefined, {
        timeout: timeoutMs,
      })
      .catch(() => assert.fail(`nothing has the focus on ${page.url()}`));
    const focused = await readFocus(page);
    assert.equal(focused.problem, '', `${focused.name} on ${page.url()}`);
    return focused.name;
  };
  /** Presses Tab or Shift+Tab. After the last element of the page, the body has the focus once. */
  const pressTab = async (key: string): Promise<Focused> => {
    await keyboard.press(key);
    let focused = await readFocus(page);
    // New content may push the focused element off the screen, until the page has scrolled.
    for (const end = Date.now() + timeoutMs; focused.problem !== '' && Date.now() < end;) {
      await page.waitForTimeout(20);
      focused = await readFocus(page);
    }
    assert.equal(focused.problem, '', `${focused.name} on ${page.url()}`);
    return focused;
  };
  return {
    press: (key) => keyboard.press(key),
    type: (text) => keyboard.type(text),
    focusedName,
    waitForFocus: async (name) => {
      const end = Date.now() + timeoutMs;
      while ((await readFocus(page)).name !== name && Date.now() < end) await page.waitForTimeout(20);
      assert.equal(await focusedName(), name, page.url());
    },
    tabTo: async (name, key = 'Tab') => {
      const seen: string[] = [];
      for (let presses = 0; presses < maxPresses; presses += 1) {
        const focused = await pressTab(key);
        seen.push(focused.name);
        if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) return;
      }
      assert.fail(`${String(name)} is not reached by ${key} on ${page.url()}: ${seen.slice(0, 40).join(' | ')}`);
    },
    tabThrough: async () => {
      const names: string[] = [];
      for (let presses = 0; presses < maxPresses; presses += 1) {
        const { name, isBody } = await pressTab('Tab');
        if (isBody) return names;
        names.push(name);
      }
      assert.fail(`Tab does not reach the end of ${page.url()}: ${names.slice(-20).join(' | ')}`);
    },
  };
};

const readFocus = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: '', isBody: true, problem: '' };
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
    // The main content (target of the skip link) and whole dialogs need no visible focus.
    if (element.id === 'content' || element.getAttribute('role') === 'dialog')
      return { name: `${element.getAttribute('role') ?? 'content'}: ${name}`, isBody: false, problem: '' };
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- only the enclosing function is sent to the browser
    const isOutlined = (candidate: Element | null): boolean => {
      if (candidate === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    // Some controls are drawn by a parent or sibling, which then shows the focus.
    const around: (Element | null)[] = [element, element.nextElementSibling, element.previousElementSibling];
    for (
      let parent = element.parentElement, depth = 0;
      parent !== null && depth < 3;
      parent = parent.parentElement, depth += 1
    )
      around.push(parent);
    const shown = around.find(isOutlined);
    if (shown === undefined || shown === null) return { name, isBody: false, problem: 'shows no focus' };
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const isOnScreen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return { name, isBody: false, problem: isOnScreen ? '' : 'is not on the screen' };
  });
