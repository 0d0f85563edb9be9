/** CSS pixels per millisecond (about two screens a second) from which on nobody sees single pictures. */
const fastFrom = 2;

/** Milliseconds without fast scrolling after which pictures are loaded again. */
const calmAfterMs = 150;

/** More than this many screens in one scroll event are a jump and not fast scrolling: the page stands still again, so pictures are loaded at once. */
const jumpScreens = 4;

/** How many waiting actions are called in one frame. */
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
 * Calls `action` once, when scrolling is slow: now if it is slow already. The function that is returned cancels the call. Of many waiting actions a
 * few are called in each frame. The last ones added come first, since their pictures are on the screen.
 */
export const onceCalm = (action: () => void): (() => void) => {
  if (!isScrollingFast()) {
    action();
    return () => undefined;
  }
  // An action that is added again moves to the end of the set, as the newest one.
  waiting.delete(action);
  waiting.add(action);
  return () => waiting.delete(action);
};

/** Says that a script has moved the page, together with what is drawn on it: nobody has scrolled. */
export const forgetDistance = (): void => {
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
  if (speed < fastFrom || distance > window.innerHeight * jumpScreens) return;
  isFast = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    isFast = false;
    callSome();
  }, calmAfterMs);
}

function callSome(): void {
  // Between two frames fast scrolling may have begun again.
  if (isFast) return;
  for (const action of [...waiting].slice(-callsPerFrame)) {
    waiting.delete(action);
    action();
  }
  if (waiting.size > 0) requestAnimationFrame(callSome);
}
