export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A complete response. */
export interface Answer {
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

/** Sends one request and returns its response, whatever its status. @throws if no complete response arrives */
export const send = async (url: string, path: string, ask: RequestOptions = {}): Promise<Answer> => {
  const { method = 'GET', token, basic, body, headers, timeoutMs = 60_000, signal } = ask;
  const timeout = AbortSignal.timeout(timeoutMs);
  const isForm = body instanceof FormData;
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(basic !== undefined && { Authorization: basicOf(basic) }),
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Sends one request and returns the JSON of its response, if any. @throws unless it succeeded */
export const sendForJson = async <Body>(url: string, path: string, ask?: RequestOptions): Promise<Body> => {
  const answer = await send(url, path, ask);
  if (answer.status >= 300) throw new Error(describeAnswer(`${ask?.method ?? 'GET'} ${path}`, answer));
  return (answer.text === '' ? undefined : JSON.parse(answer.text)) as Body;
};

/** Returns, for example, `GET /v1/mediaItems answered 503: …` */
export const describeAnswer = (what: string, { status, text }: Answer): string => `${what} answered ${status}: ${text}`;

/** Returns the `Authorization` header of Basic authentication. */
export const basicOf = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Password of users made by `createUser`. */
export const userPassword = 'the-password-of-the-family';

/** Creates a user as the administrator, as on an installation without a first user. */
export const createUser = async (
  url: string,
  admin: Credentials,
  username = 'family',
  headers: RequestHeaders = {},
): Promise<Credentials & { readonly id: string }> => {
  const user = { username, password: userPassword };
  const ask = { method: 'POST', basic: admin, headers, body: { name: 'Family', ...user } };
  const { id } = await sendForJson<{ id: string }>(url, '/v1/users', ask);
  return { id, ...user };
};

/** Returns an access token, which is valid for 15 minutes. */
export const signIn = async (
  url: string,
  { username, password }: Credentials,
  headers: RequestHeaders = {},
): Promise<string> => {
  const ask = { method: 'POST', headers, body: { username, password } };
  return (await sendForJson<{ accessToken: string }>(url, '/v1/auth/login', ask)).accessToken;
};

/** Builds the body of an upload. */
export const formOf = (filename: string, content: Blob | Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData();
  form.append('file', content instanceof Blob ? content : new Blob([content]), filename);
  return form;
};

/** Uploads a file, without retries. */
export const uploadOnce = (url: string, token: string, form: FormData): Promise<Answer> =>
  send(url, '/v1/mediaItems', { method: 'POST', token, body: form, timeoutMs: 300_000 });
