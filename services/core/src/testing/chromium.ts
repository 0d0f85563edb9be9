/** Options of a Chromium without a window, in a container and without calls of its own to the network. */
export const headlessOptions: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
];
