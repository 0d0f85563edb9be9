import type { Page } from 'playwright-core';
import { patienceMs } from './visit.ts';

/** Resolves once a service worker keeps the app on the device. @throws after the page's patience: by itself the browser waits for ever where none could be set up */
export const waitForServiceWorker = (page: Page): Promise<void> =>
  page.evaluate(async (ms) => {
    const isLate = new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`There is no service worker after ${ms} ms.`)), ms);
    });
    await Promise.race([navigator.serviceWorker.ready, isLate]);
  }, patienceMs);
