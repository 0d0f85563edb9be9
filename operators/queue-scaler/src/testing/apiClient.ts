import type { V1ObjectMeta } from '@kubernetes/client-node';
import { Agent, request as sendRequest } from 'undici';
import { ApiError, getMessage } from '../cluster/apiError.ts';
import { makeConnector } from '../cluster/apiServer.ts';

/** An object of the library's types as read from the API server, always with a name. */
export type Stored<Kind> = Kind & { readonly metadata: V1ObjectMeta & { readonly name: string } };

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Required for PATCH. */
  readonly contentType?: string;
}

/** A client for any path of an API server. */
export interface ApiClient {
  /** @throws ApiError on an error response */
  request<Result>(request: ApiRequest): Promise<Result>;
  close(): void;
}

export const openApiClient = (
  url: string,
  { caFile, token }: { readonly caFile?: string; readonly token?: string } = {},
): ApiClient => {
  const dispatcher = new Agent({ connect: makeConnector(caFile) });
  return {
    request: async <Result>({ method, path, body, contentType = 'application/json' }: ApiRequest) => {
      const { statusCode, body: responseBody } = await sendRequest(new URL(path, url), {
        method,
        dispatcher,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await responseBody.text();
      if (statusCode >= 300) throw new ApiError(`${method} ${path}: ${statusCode} ${getMessage(text)}`, statusCode);
      return JSON.parse(text) as Result;
    },
    close: () => void dispatcher.destroy(),
  };
};
