/**
 * Parts of a Chromium that nobody sees who has no window of it. The pages that its address bar would open are two more processes for each tab, and take
 * twice as long as all else of a first visit. Since the last list counts, those of Playwright's that change what is seen of a page follow.
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

/** Options of a Chromium without a window, in a container and without calls of its own to the network. */
export const headlessOptions: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  `--disable-features=${withoutFeatures.join(',')}`,
];
