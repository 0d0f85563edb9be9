/** The headers of an answer by name. */
type Headers = Readonly<Record<string, string | number | undefined>>;

/**
 * The headers with `Location` and `Link` below the public address, if there is one, because a proxy may serve Hearth below a path. A value
 * that is already a full address stays.
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
