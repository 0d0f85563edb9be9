/** The headers of an answer by name. */
type Headers = Readonly<Record<string, string | number | undefined>>;

/**
 * The headers with the paths of `Location` and `Link` as people reach them, where that is known: a proxy may serve us below a path of
 * its own. What is an address already stays as it is.
 */
export const withPublicAddress = (headers: Headers, publicUrl: string | undefined): Headers =>
  publicUrl === undefined
    ? headers
    : {
        ...headers,
        ...(headers['Location'] !== undefined && {
          Location: String(headers['Location']).replace(/^\//, `${publicUrl}/`),
        }),
        ...(headers['Link'] !== undefined && { Link: String(headers['Link']).replaceAll('</', `<${publicUrl}/`) }),
      };
