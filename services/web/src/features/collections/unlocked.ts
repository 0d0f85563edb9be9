import { getSession } from '../../lib/api/session.ts';

/** Duration that hidden items stay unlocked after the password was entered, in ms. */
export const unlockedMs = 5 * 60_000;

let unlocked: { readonly userId: string; readonly untilMs: number } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/**
 * Unlocks the user's hidden items for five minutes, or until the page is no longer visible. Stores nothing on the
 * device.
 */
export const unlock = (userId: string): void => {
  unlocked = { userId, untilMs: Date.now() + unlockedMs };
  clearTimeout(timer);
  timer = setTimeout(lock, unlockedMs);
  document.addEventListener('visibilitychange', lockWhenHidden);
  notify();
};

export const lock = (): void => {
  unlocked = undefined;
  clearTimeout(timer);
  document.removeEventListener('visibilitychange', lockWhenHidden);
  notify();
};

export const isUnlocked = (): boolean => {
  const session = getSession();
  if (unlocked === undefined || session.kind !== 'signedIn') return false;
  // After a laptop has slept, its timers lag behind its clock.
  return unlocked.userId === session.userId && Date.now() < unlocked.untilMs;
};

/** Calls `listener` after each lock and unlock. Returns a function that unsubscribes. For `useSyncExternalStore`. */
export const subscribeToUnlocked = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function lockWhenHidden(): void {
  if (document.visibilityState === 'hidden') lock();
}

function notify(): void {
  for (const listener of listeners) listener();
}
