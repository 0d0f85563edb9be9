import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A response of the proxy itself. */
export interface OverriddenResponse {
  readonly status: number;
  readonly body?: string;
}

/** Starts a proxy in front of an S3 server. It responds to some requests itself and forwards the others. */
export const startS3Proxy = async (
  t: TestContext,
  endpoint: string,
  overrideResponse: (incoming: IncomingMessage) => OverriddenResponse | undefined,
): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const override = overrideResponse(incoming);
    if (override !== undefined) {
      const respond = () =>
        outgoing.writeHead(override.status, { 'Content-Type': 'application/xml' }).end(override.body);
      incoming.resume().on('end', respond);
      return;
    }
    incoming.pipe(
      request(new URL(url!, endpoint), { method, headers }, (response) => {
        response.pipe(outgoing.writeHead(response.statusCode!, response.headers));
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

/** Makes a function that responds to the first `times` matching requests with `override`. */
export const overrideFirst = (
  times: number,
  matches: (incoming: IncomingMessage) => boolean,
  override: OverriddenResponse,
): ((incoming: IncomingMessage) => OverriddenResponse | undefined) => {
  let remaining = times;
  return (incoming) => {
    if (remaining === 0 || !matches(incoming)) return undefined;
    remaining -= 1;
    return override;
  };
};

/** Returns true for a request that completes a multipart upload. */
export const isUploadCompletion = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url!.includes('uploadId=');

/** Builds an error in the format of S3. */
export const s3Error = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>For a reason.</Message></Error>`;
