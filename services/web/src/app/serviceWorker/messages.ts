/** Makes a waiting service worker take over the page. */
export const skipWaitingMessage = 'hearth-skip-waiting';
