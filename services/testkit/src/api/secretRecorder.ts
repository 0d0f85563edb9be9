/** Secrets in the HTTP traffic of a test, and its error responses. */
export interface SecretRecorder extends Disposable {
  /** Passwords, tokens, one-time codes and signatures of links, without duplicates. */
  readonly secrets: ReadonlySet<string>;
  /** Bodies of all error responses in JSON. */
  readonly errorBodies: readonly string[];
}

/** Records every `fetch` of this process until it is disposed. Requests and responses are unchanged. */
export const recordSecrets = (): SecretRecorder => {
  const secrets = new Set<string>();
  const errorBodies: string[] = [];
  const addSecrets = (text: string): void => {
    for (const pattern of patterns) for (const [, secret] of text.matchAll(pattern)) if (secret) secrets.add(secret);
  };
  const originalFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, { ...init, ...(init?.body instanceof ReadableStream && { duplex: 'half' }) });
    const [, credentials] = /^(?:Bearer|Basic) (\S{8,})$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (credentials !== undefined) secrets.add(credentials);
    addSecrets(request.url);
    if (Buffer.isBuffer(init?.body)) addSecrets(init.body.subarray(0, 10_000).toString());
    const response = await originalFetch(input, init);
    if (response.headers.get('content-type')?.startsWith('application/json') === true) {
      const text = await response.clone().text();
      addSecrets(text);
      if (response.status >= 400) errorBodies.push(text);
    }
    return response;
  };
  return {
    secrets,
    errorBodies,
    [Symbol.dispose]: () => {
      globalThis.fetch = originalFetch;
    },
  };
};

/** Passwords, tokens and one-time codes in JSON, and signatures of links anywhere. */
const patterns = [
  /"(?:password|accessToken|refreshToken)":"((?:[^"\\]|\\.){8,})"/g,
  /"code":"([\w-]{43})"/g,
  /[?&]signature=([\w-]{8,})/g,
  /\/v1\/thumbnails\/[^/]+\/[^/]+\/\d+\/[^/]+\/([\w-]{8,})/g,
] as const;
