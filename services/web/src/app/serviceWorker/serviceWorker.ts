import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { skipWaitingMessage } from './messages.ts';
import { keepSharedFiles } from '../../lib/browser/sharedFiles.ts';

/*
 * [Note: What the service worker keeps] The built files of the app, and nothing else: no answer of the API and no picture ever comes into a cache,
 * so that whoever signs in next finds nothing of who was here before. Files that another app shares lie in a database until they are uploaded.
 */

interface ExtendableEvent extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  readonly respondWith: (answer: Promise<Response>) => void;
}

/** What TypeScript's types of a page do not tell of a service worker. */
declare const self: {
  /** Every built file with its version; the build fills it in. */
  readonly __WB_MANIFEST: { readonly url: string; readonly revision: string | null }[];
  readonly skipWaiting: () => Promise<void>;
  readonly location: { readonly origin: string };
  readonly addEventListener: {
    (name: 'fetch', listener: (event: FetchEvent) => void): void;
    (name: 'message', listener: (event: ExtendableEvent & { readonly data: unknown }) => void): void;
  };
};

/** Where the manifest has other apps send what is shared. */
const shareAddress = '/share-target';

// Before the routes, which answer only what is read.
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'POST' && new URL(url).pathname === shareAddress) event.respondWith(receiveShared(event.request));
});

// oxlint-disable-next-line no-underscore-dangle -- the name that the build looks for
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
// Every address of the app is the same page; the API's own are asked of the server.
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [/^\/v1\//, /\.\w+$/] }));

self.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) event.waitUntil(self.skipWaiting());
});

/**
 * Keeps what was shared and leads to the page that asks whether to upload it. Any page may send a form here: one that says where it is from is
 * turned away, and what another one sends waits for somebody's consent.
 */
async function receiveShared(request: Request): Promise<Response> {
  // A share comes from no page.
  const isFromPage = URL.canParse(request.referrer) && new URL(request.referrer).origin !== self.location.origin;
  if (isFromPage) return Response.redirect('/', 303);
  const form = await request.formData();
  const files = form.getAll('files').filter((value) => value instanceof File);
  await keepSharedFiles(files, Date.now());
  return Response.redirect(shareAddress, 303);
}
