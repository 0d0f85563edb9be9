/**
 * Chromium features to disable. The pages of its address bar popups need two more processes per tab, and take twice as long as the rest of a first
 * visit. Only the last list of features counts, so those of Playwright that change the look of pages are repeated here.
 */
const withoutFeatures = [
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

/** Options of headless Chromium in a container, without network requests of its own. */
export const headlessOptions: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  `--disable-features=${withoutFeatures.join(',')}`,
];
