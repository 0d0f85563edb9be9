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
  const passedMs = last === undefined ? Infinity : now.timeMs - last.timeMs;
  const speed = Math.abs(now.y - (last?.y ?? now.y)) / Math.max(1, passedMs);
  last = now;
  // The first move after a rest may be a jump, which is over: what it leads to is wanted at once.
  if (passedMs > calmAfterMs || speed < fastFrom) return;
  isFast = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    isFast = false;
    for (const action of waiting) action();
    waiting.clear();
  }, calmAfterMs);
}
