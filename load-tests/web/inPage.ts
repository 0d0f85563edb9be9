/*
 * Functions that run in the page and may not use anything outside it. `watchPage` is injected before the page's own
 * scripts, the others are called later.
 */

/** Measurements that the page collects. */
export interface PageWatch {
  /** From the start of the navigation until all pictures on the screen were loaded for the first time, in ms. */
  shownMs?: number;
  /** Sum of all layout shifts without user input. */
  shift: number;
  /** Resolves with `performance.now()` when the screen shows other pictures than now and all of them are loaded. */
  untilShown(): Promise<number>;
}

declare global {
  interface Window {
    hearthBench: PageWatch;
  }
}

export const watchPage = (): void => {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets only this function
  const isOnScreen = (element: Element): boolean => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && bottom > 0 && top < innerHeight;
  };
  /** Returns the ids on the screen, or undefined while a picture or month on it is still loading. */
  const shown = (): string | undefined => {
    if ([...document.querySelectorAll('[aria-busy=true]')].some(isOnScreen)) return undefined;
    const cells = [...document.querySelectorAll('[role=gridcell]')].filter(isOnScreen);
    const isLoaded = cells.every((cell) => {
      const image = cell.querySelector('img');
      return image !== null && image.complete && image.naturalWidth > 0;
    });
    return cells.length > 0 && isLoaded ? cells.map((cell) => cell.getAttribute('data-item-id')).join(' ') : undefined;
  };
  const untilShown = (): Promise<number> => {
    const before = shown();
    return new Promise((resolve) => {
      const check = (): void => {
        const now = shown();
        if (now !== undefined && now !== before) resolve(performance.now());
        else requestAnimationFrame(check);
      };
      check();
    });
  };
  const watched: PageWatch = { shift: 0, untilShown };
  window.hearthBench = watched;
  void untilShown().then((ms) => (watched.shownMs = ms));
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) watched.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Counts frames for `durationMs`: frames drawn, frames due at 60 Hz, and the scroll distance in CSS pixels. */
export const countFrames = (
  durationMs: number,
): Promise<{ readonly drawn: number; readonly due: number; readonly scrolled: number }> =>
  new Promise((resolve) => {
    const frameMs = 1000 / 60;
    let drawn = 0;
    let dropped = 0;
    let scrolled = 0;
    let place = scrollY;
    let last = performance.now();
    const end = last + durationMs;
    const next = (now: number): void => {
      drawn += 1;
      dropped += Math.max(0, Math.round((now - last) / frameMs) - 1);
      last = now;
      scrolled += Math.abs(scrollY - place);
      place = scrollY;
      if (now < end) requestAnimationFrame(next);
      else resolve({ drawn, due: drawn + dropped, scrolled });
    };
    requestAnimationFrame(next);
  });
