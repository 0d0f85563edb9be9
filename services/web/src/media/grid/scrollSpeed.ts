/** From this speed on, in CSS pixels per millisecond (about five screens a second), nobody sees single pictures. */
const fastFrom = 4;

/** For how long, in milliseconds, scrolling must have been slow. */
const calmAfterMs = 100;

const waiting = new Set<() => void>();
let isFast = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let last: { y: number; timeMs: number } | undefined;

/** Whether the page flies by so fast that loading pictures would be in vain. */
export const isScrollingFast = (): boolean => {
  watch();
  return isFast;
};

/** Calls `action` once, as soon as scrolling is slow, at once if it is; answers what takes that back. */
export const onceCalm = (action: () => void): (() => void) => {
  if (!isScrollingFast()) {
    action();
    return () => undefined;
  }
  waiting.add(action);
  return () => waiting.delete(action);
};

function watch(): void {
  if (last !== undefined) return;
  last = { y: window.scrollY, timeMs: performance.now() };
  window.addEventListener('scroll', noteScroll, { passive: true });
}

function noteScroll(): void {
  const now = { y: window.scrollY, timeMs: performance.now() };
  const speed = last === undefined ? 0 : Math.abs(now.y - last.y) / Math.max(1, now.timeMs - last.timeMs);
  last = now;
  if (speed < fastFrom) return;
  isFast = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    isFast = false;
    for (const action of waiting) action();
    waiting.clear();
  }, calmAfterMs);
}
