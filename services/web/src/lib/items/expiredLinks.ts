/** Minimum time between two renewals, in ms. */
const minRenewIntervalMs = 60_000;

/**
 * Calls `renew` when a picture or video fails to load because its link has expired. This happens on pages that stay
 * open: direct links to an S3 store are valid for at least 30 minutes, and API links for a day.
 */
export const watchExpiredLinks = (renew: () => void): (() => void) => {
  let renewedAt = -Infinity;
  const handleError = ({ target }: Event): void => {
    if (!(target instanceof HTMLImageElement || target instanceof HTMLVideoElement)) return;
    if (!hasExpired(target.src) || Date.now() - renewedAt < minRenewIntervalMs) return;
    renewedAt = Date.now();
    renew();
  };
  // Error events of elements do not bubble.
  document.addEventListener('error', handleError, { capture: true });
  return () => document.removeEventListener('error', handleError, { capture: true });
};

/** Checks the expiry in a link of the API or of an S3 store. */
const hasExpired = (link: string): boolean => {
  const query = new URL(link, location.href).searchParams;
  const [seconds, signedAt] = [query.get('X-Amz-Expires'), query.get('X-Amz-Date')];
  if (seconds === null || signedAt === null) return Number(query.get('expires') ?? Infinity) * 1_000 <= Date.now();
  const time = signedAt.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:');
  return Date.parse(time) + Number(seconds) * 1_000 <= Date.now();
};
