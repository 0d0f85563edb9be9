const askEveryMs = 3000;

/** Resolves when the server answers again: it is asked every few seconds, and at once when the network is back. @throws when `signal` is aborted. */
export const whenServerAnswers = async (signal: AbortSignal): Promise<void> => {
  for (;;) {
    await pause(signal);
    signal.throwIfAborted();
    const isBack = await fetch('/version', { cache: 'no-store', signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isBack) return;
  }
};

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, askEveryMs);
    signal.addEventListener('abort', end, { signal: over.signal });
    addEventListener('online', end, { signal: over.signal });
  });
}
