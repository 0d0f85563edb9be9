import { trustedScriptUrl } from '../../lib/browser/trustedTypes.ts';
import { skipWaitingMessage } from './messages.ts';

/** How often a page that stays open looks for a new version. */
const lookEveryMs = 60 * 60 * 1000;

/**
 * Has the browser keep the built app, so that it opens without the server. `onUpdate` is called when a new version lies ready, with what has it take
 * over; the page is loaded again then, and never before.
 */
export const registerServiceWorker = async (onUpdate: (takeOver: () => void) => void): Promise<void> => {
  // Browsers have none for pages that come without TLS from another computer, and `npm run dev` serves none.
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
  if (serviceWorker === undefined || import.meta.env.DEV) return;
  const registration = await serviceWorker.register(trustedScriptUrl('/serviceWorker.js'), { updateViaCache: 'none' });
  const announce = (waiting: ServiceWorker): void =>
    onUpdate(() => {
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage(skipWaitingMessage);
    });
  // Without a controller this is the first visit, and there is no older version to be replaced.
  const watch = (installing: ServiceWorker): void =>
    installing.addEventListener('statechange', () => {
      if (installing.state === 'installed' && serviceWorker.controller !== null) announce(installing);
    });
  if (registration.waiting !== null && serviceWorker.controller !== null) announce(registration.waiting);
  registration.addEventListener(
    'updatefound',
    () => registration.installing !== null && watch(registration.installing),
  );
  setInterval(() => void registration.update().catch(() => undefined), lookEveryMs);
};
