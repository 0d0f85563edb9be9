import { appendFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright-core';

/** Something that somebody did on a page, from the event until the next frame was painted, as Chromium's Event Timing measures it. */
export interface Interaction {
  /** Which of a document's interactions it is: each is told once for each of its events, such as `pointerdown` and `click`. */
  readonly document: number;
  readonly id: number;
  /** The path of the page, and the event. */
  readonly path: string;
  readonly event: string;
  /** Milliseconds in steps of eight, at least 16: what takes less is not told. */
  readonly ms: number;
}

declare global {
  interface Window {
    hearthInteraction(interaction: Interaction): void;
  }
}

/** Has the pages of a browser append each interaction to the file at `path`, as a line of JSON. */
export const keepInteractions = async (context: BrowserContext, path: string): Promise<void> => {
  await context.exposeBinding('hearthInteraction', (_source, interaction: Interaction) =>
    appendFileSync(path, `${JSON.stringify(interaction)}\n`),
  );
  await context.addInitScript(watchInteractions);
};

/** Runs in each page before its own scripts. */
const watchInteractions = (): void => {
  new PerformanceObserver((list) => {
    for (const { interactionId, name, duration } of list.getEntries() as PerformanceEventTiming[]) {
      if (interactionId === 0) continue;
      const { timeOrigin } = performance;
      window.hearthInteraction({
        document: timeOrigin,
        id: interactionId,
        path: location.pathname,
        event: name,
        ms: duration,
      });
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
};
