/** Asks a new version of the service worker to take over from the one that serves the page. */
export const skipWaitingMessage = 'hearth-skip-waiting';
