/** From this speed on, in CSS pixels per millisecond (about two screens a second), nobody sees single pictures. */
const fastFrom = 2;

/** For how long, in milliseconds, scrolling must have been slow. */
const calmAfterMs = 150;

/** What leads further than this many screens at once is a jump, which is over: what it leads to is wanted at once. */
const jumpScreens = 4;

/** How many of those that wait are called in one frame. */
const callsPerFrame = 2;

const waiting = new Set<() => void>();
let isFast = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let last: { y: number; timeMs: number } | undefined;

/** Whether the page flies by so fast that loading pictures would be in vain. */
export const isScrollingFast = (): boolean => {
  watch();
  return isFast;
};

/**
 * Calls `action` once, as soon as scrolling is slow, at once if it is; answers what takes that back. Of many that wait a few are called in each frame,
 * those that came last first, since they are what is on the screen.
 */
export const onceCalm = (action: () => void): (() => void) => {
  if (!isScrollingFast()) {
    action();
    return () => undefined;
  }
  // Behind those that came since it was added first.
  waiting.delete(action);
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
  const distance = Math.abs(now.y - (last?.y ?? now.y));
  const speed = distance / Math.max(1, now.timeMs - (last?.timeMs ?? now.timeMs));
  last = now;
  if (speed < fastFrom || distance > window.innerHeight * jumpScreens) return;
  isFast = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    isFast = false;
    callSome();
  }, calmAfterMs);
}

function callSome(): void {
  // The page may fly by again.
  if (isFast) return;
  for (const action of [...waiting].slice(-callsPerFrame)) {
    waiting.delete(action);
    action();
  }
  if (waiting.size > 0) requestAnimationFrame(callSome);
}
