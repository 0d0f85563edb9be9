import { randomUUID } from 'node:crypto';

/** Test user with an account. */
export interface TestUser {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  /** Uploads files through the API and resolves when all are processed. */
  uploadFiles(files: readonly PickedFile[]): Promise<void>;
  /** Creates a shared album with all items of the user. */
  createAlbum(name: string): Promise<{ readonly albumId: string; readonly shareId: string }>;
  /** Ends all sessions of the user except the newest. */
  endOtherSessions(): Promise<void>;
}

export interface PickedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Timeout for processing a file on a busy machine, in ms. */
const timeoutMs = 180_000;

/** Creates an account through the administrator's API. Default: a random user name, and the same display name. */
export const createTestUser = async (
  url: string,
  admin: Credentials,
  username = `anna-${randomUUID().slice(0, 8)}`,
  name = username,
): Promise<TestUser> => {
  const credentials = { username, password: 'the evening sun on the lake' };
  const basic = `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`;
  const created = await request(url, '/v1/users', basic, { body: JSON.stringify({ name, ...credentials }) });
  const { id } = (await created.json()) as { readonly id: string };
  const signIn = async (): Promise<string> => {
    const response = await request(url, '/v1/auth/login', undefined, { body: JSON.stringify(credentials) });
    return `Bearer ${((await response.json()) as { readonly accessToken: string }).accessToken}`;
  };
  return {
    id,
    ...credentials,
    uploadFiles: async (files) => {
      const token = await signIn();
      const ids = await Promise.all(files.map((file) => upload(url, token, file)));
      for (const id of ids) await waitUntilShown(url, token, id);
    },
    createAlbum: async (albumName) => {
      const token = await signIn();
      const send = async (path: string, body: object | undefined): Promise<unknown> => {
        const init = body === undefined ? { method: 'GET' } : { body: JSON.stringify(body) };
        const text = await (await request(url, path, token, init)).text();
        return text === '' ? undefined : JSON.parse(text);
      };
      const { id: albumId, shareId } = (await send('/v1/albums', { name: albumName, shared: true })) as {
        readonly id: string;
        readonly shareId: string;
      };
      const items = (await send('/v1/mediaItems?limit=200', undefined)) as readonly { readonly id: string }[];
      await send(`/v1/albums/${albumId}/mediaItems`, { mediaItems: items.map((item) => item.id) });
      return { albumId, shareId };
    },
    endOtherSessions: async () => {
      await request(url, '/v1/auth/sessions', await signIn(), { method: 'DELETE' });
    },
  };
};

const upload = async (url: string, token: string, { name, buffer }: PickedFile): Promise<string> => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(buffer)]), name);
  return ((await (await request(url, '/v1/mediaItems', token, { body })).json()) as { readonly id: string }).id;
};

const waitUntilShown = async (url: string, token: string, id: string): Promise<void> => {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const response = await request(url, `/v1/mediaItems/${id}`, token, { method: 'GET' });
    const { status } = (await response.json()) as { readonly status: string };
    if (status !== 'PROCESSING') return;
    if (Date.now() > end) throw new Error(`item ${id} is still ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const request = async (url: string, path: string, authorization: string | undefined, init: RequestInit) => {
  const headers = new Headers(authorization === undefined ? {} : { authorization });
  if (typeof init.body === 'string') headers.set('content-type', 'application/json');
  const response = await fetch(new URL(path, url), { method: 'POST', ...init, headers });
  if (!response.ok) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
  return response;
};
