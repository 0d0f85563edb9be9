import type { FoundMediaItem } from '@hearth/contract/search.ts';
import { describeResponse, send, sendForJson, signIn, type Credentials } from '@hearth/testkit/hearth/request.ts';

/** A user's library, accessed through the API. */
export interface LibraryClient {
  /** Returns all entries of a list, following the page links. */
  list<Entry>(path: string): Promise<Entry[]>;
  /** Returns the first results of a search and the search mode. */
  search(
    parameters: URLSearchParams,
  ): Promise<{ readonly entries: readonly FoundMediaItem[]; readonly mode: string | null }>;
  put(path: string, body: object): Promise<void>;
}

interface Page<Entry> {
  readonly entries: Entry[];
  readonly headers: Headers;
}

/** Signs in once. The access token lasts 15 minutes. */
export const openLibraryClient = async (url: string, credentials: Credentials): Promise<LibraryClient> => {
  const token = await signIn(url, credentials);
  const get = async <Entry>(path: string): Promise<Page<Entry>> => {
    const response = await send(url, path, { token });
    if (response.status !== 200) throw new Error(describeResponse(path, response));
    return { entries: JSON.parse(response.text) as Entry[], headers: response.headers };
  };
  return {
    list: async <Entry>(path: string) => {
      const all: Entry[] = [];
      for (let next: string | undefined = path; next !== undefined;) {
        const page: Page<Entry> = await get<Entry>(next);
        all.push(...page.entries);
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      return all;
    },
    search: async (parameters) => {
      const { entries, headers } = await get<FoundMediaItem>(`/v1/search?${parameters.toString()}`);
      return { entries, mode: headers.get('x-search-mode') };
    },
    put: (path, body) => sendForJson<undefined>(url, path, { method: 'PUT', token, body }),
  };
};
