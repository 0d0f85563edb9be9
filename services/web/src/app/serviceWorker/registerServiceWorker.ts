import { trustedScriptUrl } from '../../lib/browser/trustedTypes.ts';
import { skipWaitingMessage } from './messages.ts';

/** Interval of update checks on a page that stays open. */
const updateCheckMs = 60 * 60 * 1000;

/**
 * Registers the service worker, which caches the built app so that it opens offline. Calls `onUpdate` when a new
 * version is waiting. Its argument activates that version and reloads the page.
 */
export const registerServiceWorker = async (onUpdate: (activate: () => void) => void): Promise<void> => {
  // Browsers have no service workers on plain-HTTP pages of other hosts. `npm run dev` serves none.
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
  if (serviceWorker === undefined || import.meta.env.DEV) return;
  const registration = await serviceWorker.register(trustedScriptUrl('/serviceWorker.js'), { updateViaCache: 'none' });
  const announce = (waiting: ServiceWorker): void =>
    onUpdate(() => {
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage(skipWaitingMessage);
    });
  // Without a controller, this is the first visit: no older version is replaced.
  const watch = (installing: ServiceWorker): void =>
    installing.addEventListener('statechange', () => {
      if (installing.state === 'installed' && serviceWorker.controller !== null) announce(installing);
    });
  if (registration.waiting !== null && serviceWorker.controller !== null) announce(registration.waiting);
  registration.addEventListener(
    'updatefound',
    () => registration.installing !== null && watch(registration.installing),
  );
  setInterval(() => void registration.update().catch(() => undefined), updateCheckMs);
};
