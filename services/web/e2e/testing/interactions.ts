import { appendFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';

/** User interaction from its event to the next paint, as measured by Chromium's Event Timing. */
export interface Interaction {
  /** Identify the interaction. It is reported once for each of its events, such as `pointerdown` and `click`. */
  readonly document: number;
  readonly id: number;
  /** Path of the page, and the event type. */
  readonly path: string;
  readonly event: string;
  /** Accessible name or tag of the target. */
  readonly element: string;
  /** Duration in ms, in steps of eight. Shorter than 16 ms is not reported. */
  readonly ms: number;
  /** Parts of the duration: input delay, and event handlers. The rest is rendering. */
  readonly waitedMs: number;
  readonly handledMs: number;
}

declare global {
  interface Window {
    hearthInteraction(interaction: Interaction): void;
  }
}

/** Appends each interaction in a browser to the file at `path`, as a line of JSON. */
export const recordInteractions = async (context: BrowserContext, path: string): Promise<void> => {
  await context.exposeBinding('hearthInteraction', (_source, interaction: Interaction) =>
    appendFileSync(path, `${JSON.stringify(interaction)}\n`),
  );
  await context.addInitScript(watchInteractions);
  context.on('page', (page) => void requestFrames(page).catch(() => undefined));
};

/**
 * Consumes each frame of a page, as a screen does. Otherwise, Chromium reports when a frame was shown only with the
 * next one. The last click before a pause of three seconds then seemed to take three seconds, though it took ten
 * milliseconds. Ends with the page.
 */
const requestFrames = async (page: Page): Promise<void> => {
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
