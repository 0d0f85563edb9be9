/** What a test has sent and got over HTTP that nobody else may read, and what it was refused with. */
export interface SecretRecorder extends Disposable {
  /** Passwords, tokens, signatures of links: whatever was seen of them, each once. */
  readonly secrets: ReadonlySet<string>;
  /** The bodies of all answers that were errors. */
  readonly errorBodies: readonly string[];
}

/** Listens to every `fetch` of this process until it is disposed of; requests go out and answers come in as ever. */
export const recordSecrets = (): SecretRecorder => {
  const secrets = new Set<string>();
  const errorBodies: string[] = [];
  const learn = (text: string): void => {
    for (const pattern of patterns) for (const [, secret] of text.matchAll(pattern)) if (secret) secrets.add(secret);
  };
  const fetchPlainly = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, { ...init, ...(init?.body instanceof ReadableStream && { duplex: 'half' }) });
    const [, credentials] = /^(?:Bearer|Basic) (\S{8,})$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (credentials !== undefined) secrets.add(credentials);
    learn(request.url);
    if (Buffer.isBuffer(init?.body)) learn(init.body.subarray(0, 10_000).toString());
    const response = await fetchPlainly(input, init);
    if (response.headers.get('content-type')?.startsWith('application/json') === true) {
      const text = await response.clone().text();
      learn(text);
      if (response.status >= 400) errorBodies.push(text);
    }
    return response;
  };
  return {
    secrets,
    errorBodies,
    [Symbol.dispose]: () => {
      globalThis.fetch = fetchPlainly;
    },
  };
};

/** Passwords, tokens and one-time codes as JSON holds them, and the signature of a link wherever it stands. */
const patterns = [
  /"(?:password|accessToken|refreshToken)":"((?:[^"\\]|\\.){8,})"/g,
  /"code":"([\w-]{43})"/g,
  /[?&]signature=([\w-]{8,})/g,
  /\/v1\/thumbnails\/[^/]+\/[^/]+\/\d+\/[^/]+\/([\w-]{8,})/g,
] as const;
