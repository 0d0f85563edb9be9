export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A complete response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type RequestHeaders = Readonly<Record<string, string>>;

/** Parts of a request other than its URL. */
export interface RequestOptions {
  /** Default: GET. */
  readonly method?: string;
  /** An access token. */
  readonly token?: string | undefined;
  /** For Basic authentication. */
  readonly basic?: Credentials;
  /** Sent as JSON, unless it is a form. */
  readonly body?: object | FormData | undefined;
  readonly headers?: RequestHeaders;
  /** Default: one minute. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends one request and returns its response with any status.
 * @throws Error if no complete response arrives
 */
export const send = async (url: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> => {
  const { method = 'GET', token, basic, body, headers, timeoutMs = 60_000, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const isForm = body instanceof FormData;
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(basic !== undefined && { Authorization: toBasicAuth(basic) }),
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/**
 * Sends one request and returns the JSON of its response, if any.
 * @throws Error with the response unless it succeeded
 */
export const sendForJson = async <Body>(url: string, path: string, options?: RequestOptions): Promise<Body> => {
  const response = await send(url, path, options);
  if (response.status >= 300) throw new Error(describeResponse(`${options?.method ?? 'GET'} ${path}`, response));
  return (response.text === '' ? undefined : JSON.parse(response.text)) as Body;
};

/** Returns a description such as `GET /v1/mediaItems returned 503: …`. */
export const describeResponse = (request: string, { status, text }: HttpResponse): string =>
  `${request} returned ${status}: ${text}`;

/** Returns the `Authorization` header of Basic authentication. */
export const toBasicAuth = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Password of users made by `createUser`. */
export const userPassword = 'the-password-of-the-family';

/** Creates a user as the administrator, for installations without a first user. */
export const createUser = async (
  url: string,
  admin: Credentials,
  username = 'family',
  headers: RequestHeaders = {},
): Promise<Credentials & { readonly id: string }> => {
  const user = { username, password: userPassword };
  const options = { method: 'POST', basic: admin, headers, body: { name: 'Family', ...user } };
  const { id } = await sendForJson<{ id: string }>(url, '/v1/users', options);
  return { id, ...user };
};

/** Returns an access token, which is valid for 15 minutes. */
export const signIn = async (
  url: string,
  { username, password }: Credentials,
  headers: RequestHeaders = {},
): Promise<string> => {
  const options = { method: 'POST', headers, body: { username, password } };
  return (await sendForJson<{ accessToken: string }>(url, '/v1/auth/login', options)).accessToken;
};

/** Builds the body of an upload. */
export const makeForm = (filename: string, content: Blob | Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData();
  form.append('file', content instanceof Blob ? content : new Blob([content]), filename);
  return form;
};

/** Uploads a file, without retries. */
export const uploadOnce = (url: string, token: string, form: FormData): Promise<HttpResponse> =>
  send(url, '/v1/mediaItems', { method: 'POST', token, body: form, timeoutMs: 300_000 });
