/** The headers of a list with numbered pages: how many things it has, and where the next page is. */
export const numberedPageHeaders = (
  { page, limit }: { readonly page: number; readonly limit: number },
  totalCount: number,
  requestUrl: string,
) => ({ 'X-Total-Count': totalCount, Link: page * limit < totalCount ? nextPage(requestUrl, page + 1) : undefined });

const nextPage = (requestUrl: string, page: number): string => {
  const url = new URL(requestUrl, 'http://host');
  url.searchParams.set('page', String(page));
  return `<${url.pathname}${url.search}>; rel="next"`;
};
