import siteConfig from '@generated/docusaurus.config';

/*
 * Reports page views to Google Analytics when path, query or hash change, if an id is configured. Unlike Docusaurus'
 * own plugin, it never reports search words.
 */

const id = siteConfig.customFields?.['analyticsId'] as string | undefined;

/** Query parameters with search words. */
const searchParameters = ['q', '_highlight'];

const removeSearchWords = (address: string): string => {
  if (address === '') return '';
  const url = new URL(address);
  for (const name of searchParameters) url.searchParams.delete(name);
  return url.href;
};

/** Google's script reads `arguments` objects only. */
function gtag(..._command: readonly unknown[]): void {
  const { dataLayer = [] } = window as { dataLayer?: unknown[] };
  Object.assign(window, { dataLayer });
  // oxlint-disable-next-line prefer-rest-params -- an array would be ignored
  dataLayer.push(arguments);
}

let reported: string | undefined;

const reportView = (): void => {
  const address = removeSearchWords(window.location.href);
  if (address === reported) return;
  gtag('set', { page_location: address, page_referrer: reported ?? removeSearchWords(document.referrer) });
  if (reported === undefined) {
    gtag('js', new Date());
    gtag('config', id, { send_page_view: false });
    const script = document.createElement('script');
    script.async = true;
    script.src = `https://www.googletagmanager.com/gtag/js?id=${id}`;
    document.head.append(script);
  }
  reported = address;
  gtag('event', 'page_view');
};

/** Reports a page view in the next tick, because the title of the page changes only then. */
export const onRouteDidUpdate = (): void => {
  if (id) setTimeout(reportView);
};
