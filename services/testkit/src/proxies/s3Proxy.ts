import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What a proxy answers by itself. */
export interface OwnAnswer {
  readonly status: number;
  readonly body?: string;
}

/** A way to an S3 server that answers some requests by itself, without asking the server, and passes on the others. */
export const startS3Proxy = async (
  t: TestContext,
  endpoint: string,
  answerTo: (asked: IncomingMessage) => OwnAnswer | undefined,
): Promise<string> => {
  const server = createServer((asked, answer) => {
    const { method, headers, url } = asked;
    const own = answerTo(asked);
    if (own !== undefined) {
      const written = () => answer.writeHead(own.status, { 'Content-Type': 'application/xml' }).end(own.body);
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

/** The first `times` of the requests that `isMeant` names are answered with `own`. */
export const answerFirst = (
  times: number,
  isMeant: (asked: IncomingMessage) => boolean,
  own: OwnAnswer,
): ((asked: IncomingMessage) => OwnAnswer | undefined) => {
  let left = times;
  return (asked) => {
    if (left === 0 || !isMeant(asked)) return undefined;
    left -= 1;
    return own;
  };
};

/** Whether a request asks to make the object of an upload. */
export const isCompletion = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url!.includes('uploadId=');

/** An error as S3 says it. */
export const s3Error = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>For a reason.</Message></Error>`;
