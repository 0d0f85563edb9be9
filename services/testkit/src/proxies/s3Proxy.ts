import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A response of the proxy itself. */
export interface OverriddenResponse {
  readonly status: number;
  readonly body?: string;
}

/** Starts a proxy in front of an S3 server that answers some requests itself and forwards the others. */
export const startS3Proxy = async (
  t: TestContext,
  endpoint: string,
  overrideResponse: (asked: IncomingMessage) => OverriddenResponse | undefined,
): Promise<string> => {
  const server = createServer((asked, answer) => {
    const { method, headers, url } = asked;
    const override = overrideResponse(asked);
    if (override !== undefined) {
      const written = () => answer.writeHead(override.status, { 'Content-Type': 'application/xml' }).end(override.body);
      asked.resume().on('end', written);
      return;
    }
    asked.pipe(
      request(new URL(url!, endpoint), { method, headers }, (response) => {
        response.pipe(answer.writeHead(response.statusCode!, response.headers));
      }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Makes a function that answers the first `times` matching requests with `own`. */
export const overrideFirst = (
  times: number,
  matches: (asked: IncomingMessage) => boolean,
  override: OverriddenResponse,
): ((asked: IncomingMessage) => OverriddenResponse | undefined) => {
  let left = times;
  return (asked) => {
    if (left === 0 || !matches(asked)) return undefined;
    left -= 1;
    return override;
  };
};

/** True for a request that completes a multipart upload. */
export const isUploadCompletion = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url!.includes('uploadId=');

/** Builds an error in the format of S3. */
export const s3Error = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>For a reason.</Message></Error>`;
