/** CSS pixels per ms, about two screens per second. At this speed, single pictures are not recognizable. */
const minFastSpeed = 2;

/** Scrolling counts as slow after this time without a fast scroll event, in ms. Pictures then load again. */
const slowAfterMs = 150;

/**
 * A longer distance in one scroll event, in screens, is a jump. Pictures then load at once, because the page has
 * stopped.
 */
const minJumpScreens = 4;

/** Maximum number of queued actions per frame. */
const maxCallsPerFrame = 2;

const waiting = new Set<() => void>();
let isFast = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let last: { y: number; timeMs: number } | undefined;

/** Returns whether the page scrolls too fast for pictures to be worth loading. */
export const isScrollingFast = (): boolean => {
  watch();
  return isFast;
};

/**
 * Calls `action` once scrolling is slow, at once if it is already. Returns a function that cancels the call. Runs a few
 * queued actions per frame, newest first, because their pictures are on the screen.
 */
export const whenSlow = (action: () => void): (() => void) => {
  if (!isScrollingFast()) {
    action();
    return () => undefined;
  }
  // An action that is added again moves to the end of the set, as the newest.
  waiting.delete(action);
  waiting.add(action);
  return () => waiting.delete(action);
};

/** Ignores a scroll by a script that moves page and content together. */
export const resetDistance = (): void => {
  if (last !== undefined) last = { y: window.scrollY, timeMs: performance.now() };
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
  if (speed < minFastSpeed || distance > window.innerHeight * minJumpScreens) return;
  isFast = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    isFast = false;
    runSomeCallbacks();
  }, slowAfterMs);
}

function runSomeCallbacks(): void {
  // Fast scrolling may have started again since the last frame.
  if (isFast) return;
  for (const action of [...waiting].slice(-maxCallsPerFrame)) {
    waiting.delete(action);
    action();
  }
  if (waiting.size > 0) requestAnimationFrame(runSomeCallbacks);
}
