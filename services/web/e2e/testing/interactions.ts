import { appendFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';

/** Something that somebody did on a page, from the event until the next frame was painted, as Chromium's Event Timing measures it. */
export interface Interaction {
  /** Which of a document's interactions it is: each is told once for each of its events, such as `pointerdown` and `click`. */
  readonly document: number;
  readonly id: number;
  /** The path of the page, and the event. */
  readonly path: string;
  readonly event: string;
  /** What was pressed: its name, or its tag where it has none. */
  readonly element: string;
  /** Milliseconds in steps of eight, at least 16: what takes less is not told. */
  readonly ms: number;
  /** Of these milliseconds, those until the page began with the event, and those that its handlers took; the others went into the frame. */
  readonly waitedMs: number;
  readonly handledMs: number;
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
  context.on('page', (page) => void takeFrames(page).catch(() => undefined));
};

/**
 * Takes each frame of a page, as a screen does. Without anybody who does, Chromium tells when a frame was shown only with the next one: what was
 * pressed last before a page rests for three seconds then seemed to take as long, though it was drawn after ten milliseconds. Ends with the page.
 */
const takeFrames = async (page: Page): Promise<void> => {
  const devTools = await page.context().newCDPSession(page);
  devTools.on('Page.screencastFrame', ({ sessionId }) => {
    devTools.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await devTools.send('Page.startScreencast', { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16 });
};

/** Runs in each page before its own scripts. */
const watchInteractions = (): void => {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      const { interactionId, name, duration, startTime, processingStart, processingEnd, target } = entry;
      if (interactionId === 0) continue;
      const { timeOrigin } = performance;
      const pressed = target instanceof Element ? target.closest('[aria-label], a, button, input, [role]') : null;
      window.hearthInteraction({
        document: timeOrigin,
        id: interactionId,
        path: location.pathname,
        event: name,
        element:
          (pressed?.getAttribute('aria-label') ?? pressed?.textContent.trim().slice(0, 40)) ||
          (target?.nodeName ?? 'gone'),
        ms: duration,
        waitedMs: processingStart - startTime,
        handledMs: processingEnd - processingStart,
      });
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
};
