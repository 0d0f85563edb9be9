/**
 * Calls `onHeld` once this tab is the only one that has the lock, at once or when the tab that has it is closed; it is kept until `signal` is
 * aborted. Where the browser has no locks (pages without TLS from another computer), tabs cannot tell one another apart, and it is called at once.
 */
export const holdTabLock = (name: string, signal: AbortSignal, onHeld: () => Promise<void>): void => {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) {
    void onHeld();
    return;
  }
  const held = async (): Promise<void> => {
    await onHeld();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  locks.request(name, { signal }, held).catch(() => undefined);
};
