/**
 * Chromium features to disable. The address bar popups are pages: they need two more processes per tab, and triple the time
 * of a first visit. Chromium uses only the last list of features, so the list repeats Playwright's features that change the
 * look of pages.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'PaintHolding',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'ThirdPartyStoragePartitioning',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'DestroyProfileOnBrowserClose',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'NetworkTimeServiceQuerying',
];

/** Options of headless Chromium in a container, without Chromium's own network requests. */
export const headlessOptions: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  `--disable-features=${disabledFeatures.join(',')}`,
];
