import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { skipWaitingMessage } from './messages.ts';
import { storeSharedFiles } from '../../lib/browser/sharedFiles.ts';

/*
 * [Note: What the service worker keeps] The service worker caches only the built files of the app. It caches no API
 * responses and no pictures, so that the next user who signs in finds no data of the previous one. Files shared from
 * other apps are kept in IndexedDB until they are uploaded.
 */

interface ExtendableEvent extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  readonly respondWith: (response: Promise<Response>) => void;
}

/** Service worker globals that the DOM types lack. */
declare const self: {
  /** Built files with their versions, inserted by the build. */
  readonly __WB_MANIFEST: { readonly url: string; readonly revision: string | null }[];
  readonly skipWaiting: () => Promise<void>;
  readonly location: { readonly origin: string };
  readonly addEventListener: {
    (name: 'fetch', listener: (event: FetchEvent) => void): void;
    (name: 'message', listener: (event: ExtendableEvent & { readonly data: unknown }) => void): void;
  };
};

/** `share_target.action` of the web app manifest. */
const shareAddress = '/share-target';

// Registered before the routes, which handle only GET requests.
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'POST' && new URL(url).pathname === shareAddress) event.respondWith(receiveShared(event.request));
});

// oxlint-disable-next-line no-underscore-dangle -- the name that the build looks for
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
// All pages are `index.html`. API requests go to the server.
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [/^\/v1\//, /\.\w+$/] }));

self.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) event.waitUntil(self.skipWaiting());
});

/**
 * Stores the shared files and redirects to the page that asks the user to confirm the upload. Rejects forms posted by
 * pages of other origins. A malicious form without a referrer is stored too, but nothing is uploaded unless the user
 * confirms.
 */
async function receiveShared(request: Request): Promise<Response> {
  // The browser sends a share without a referrer.
  const isFromPage = URL.canParse(request.referrer) && new URL(request.referrer).origin !== self.location.origin;
  if (isFromPage) return Response.redirect('/', 303);
  const form = await request.formData();
  const files = form.getAll('files').filter((value) => value instanceof File);
  await storeSharedFiles(files, Date.now());
  return Response.redirect(shareAddress, 303);
}
