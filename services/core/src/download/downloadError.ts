/** The server or the network failed a download. The message names the host and the remedy. */
export class DownloadError extends Error {
  /** True if the same request would fail again; it is then not repeated. */
  readonly isFinal: boolean;
  /** The status of the response, if it is why the download failed. */
  readonly status: number | undefined;

  constructor(message: string, options: { isFinal?: boolean; status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'DownloadError';
    this.isFinal = options.isFinal ?? false;
    this.status = options.status;
  }
}

/** Advice by Node error code. */
const advice: readonly (readonly [code: RegExp, text: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'has no address: check its name, the DNS server, and HTTPS_PROXY behind a proxy'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    'cannot be reached: check that it runs, the network, and HTTPS_PROXY behind a proxy',
  ],
  [/^(ECONNRESET|EPIPE)$/, 'closed the connection too early: check its log, and proxies on the way'],
  [/^ERR_PROXY/, 'cannot be reached through the proxy: check HTTPS_PROXY and NO_PROXY'],
  [/^HPE_/, 'does not send valid HTTP: check the port of its URL'],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'does not speak TLS: check whether its URL begins with http://'],
  [/CERT|ISSUER|SIGNATURE|ALTNAME/, 'has a certificate that is not trusted: set NODE_EXTRA_CA_CERTS'],
];

/** Converts an error of a request to one that names the host. Other errors, such as a full disk, stay unchanged. */
export const toDownloadError = ({ host }: URL, error: unknown): unknown => {
  if (error instanceof DownloadError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  const text = advice.find(([pattern]) => pattern.test(code))?.[1];
  return text === undefined ? error : new DownloadError(`${host} ${text} (${code})`, { cause: error });
};

/** Returns the error for a response status without the file. */
export const createStatusError = ({ host, pathname }: URL, status: number): DownloadError => {
  const isFinal = status < 500 && status !== 408 && status !== 429;
  const text = status === 404 ? `${host} does not have ${pathname}` : `${host} did not return ${pathname}`;
  return new DownloadError(`${text} (status ${status}): check the URL, or try again later`, { isFinal, status });
};
