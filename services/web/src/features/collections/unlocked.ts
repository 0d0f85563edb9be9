import { getSession } from '../../lib/api/session.ts';

/** How long what is hidden stays open after the password was entered. */
export const unlockedMs = 5 * 60_000;

let unlocked: { readonly userId: string; readonly untilMs: number } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Opens what is hidden of this user for five minutes, or until the page is not to be seen. Nothing of this is kept on the device. */
export const unlock = (userId: string): void => {
  unlocked = { userId, untilMs: Date.now() + unlockedMs };
  clearTimeout(timer);
  timer = setTimeout(lock, unlockedMs);
  document.addEventListener('visibilitychange', lockWhenUnseen);
  tell();
};

/** Closes what is hidden. */
export const lock = (): void => {
  unlocked = undefined;
  clearTimeout(timer);
  document.removeEventListener('visibilitychange', lockWhenUnseen);
  tell();
};

/** Whether what is hidden of the user who is signed in is open now. */
export const isUnlocked = (): boolean => {
  const session = getSession();
  if (unlocked === undefined || session.kind !== 'signedIn') return false;
  // The clock of a laptop that slept is ahead of its timers.
  return unlocked.userId === session.userId && Date.now() < unlocked.untilMs;
};

/** Calls `listener` whenever it is opened or closed; answers what ends that. For `useSyncExternalStore`. */
export const subscribeToUnlocked = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function lockWhenUnseen(): void {
  if (document.visibilityState === 'hidden') lock();
}

function tell(): void {
  for (const listener of listeners) listener();
}
