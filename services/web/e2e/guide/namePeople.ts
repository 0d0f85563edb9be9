interface NamingContext {
  readonly url: string;
  readonly user: { readonly username: string; readonly password: string };
}

/**
 * Names the people of a library. `names`: name of the person by the file name of a photo that shows only them. @throws
 * Error after an error response
 */
export const namePeople = async (
  { url, user: { username, password } }: NamingContext,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  const request = async <ResponseBody>(path: string, init: RequestInit = {}): Promise<ResponseBody> => {
    const response = await fetch(new URL(path, url), init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} failed with ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as ResponseBody;
  };
  const { accessToken } = await request<{ readonly accessToken: string }>('/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  for (const { id } of await request<readonly { readonly id: string }[]>('/v1/explore/people', { headers })) {
    const path = `/v1/explore/people/${id}`;
    const items = await request<readonly { readonly filename: string }[]>(`${path}/mediaItems`, { headers });
    const name = items.map(({ filename }) => names.get(filename)).find((each) => each !== undefined);
    if (name !== undefined) await request(path, { method: 'PUT', headers, body: JSON.stringify({ name }) });
  }
};
