import type { V1ObjectMeta } from '@kubernetes/client-node';
import { Agent, request } from 'undici';
import { ApiError, messageOf } from '../cluster/apiError.ts';
import { connectorOf } from '../cluster/apiServer.ts';

/** An object of the library's that the API server answered, so that it has a name. */
export type Stored<Kind> = Kind & { readonly metadata: V1ObjectMeta & { readonly name: string } };

/** A request of a test, to any path. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Of a patch. */
  readonly contentType?: string;
}

/** Asks an API server for whatever a test wants, as whoever the token is of. */
export interface ApiAsker {
  /** @throws ApiError where the server refuses */
  ask<Answer>(request: ApiRequest): Promise<Answer>;
  close(): void;
}

export const openAsker = (
  url: string,
  { caFile, token }: { readonly caFile?: string; readonly token?: string } = {},
): ApiAsker => {
  const dispatcher = new Agent({ connect: connectorOf(caFile) });
  return {
    ask: async <Answer>({ method, path, body, contentType = 'application/json' }: ApiRequest) => {
      const { statusCode, body: answer } = await request(new URL(path, url), {
        method,
        dispatcher,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await answer.text();
      if (statusCode >= 300) throw new ApiError(`${method} ${path}: ${statusCode} ${messageOf(text)}`, statusCode);
      return JSON.parse(text) as Answer;
    },
    close: () => void dispatcher.destroy(),
  };
};
