/** The headers of a list with numbered pages: how many things it has, and where the next page is. */
export const numberedPageHeaders = (
  { page, limit }: { readonly page: number; readonly limit: number },
  totalCount: number,
  requestUrl: string,
) => ({ 'X-Total-Count': totalCount, Link: nextPageHeader({ page }, page * limit < totalCount, requestUrl) });

/** The address of the next page, if there is one. */
export const nextPageHeader = (
  { page }: { readonly page: number },
  hasMore: boolean,
  requestUrl: string,
): string | undefined => {
  if (!hasMore) return undefined;
  const url = new URL(requestUrl, 'http://host');
  url.searchParams.set('page', String(page + 1));
  return `<${url.pathname}${url.search}>; rel="next"`;
};
