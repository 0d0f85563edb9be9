import { gunzipSync } from 'node:zlib';

/** The name and the value of a header; neither needs to be valid. */
export type HeaderLine = readonly [name: string, value: string];

/** A request before it becomes bytes. */
export interface RequestParts {
  readonly method: string;
  /** Path and query as they are written. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

/** Encodes a request without checking it: each character becomes one byte. */
export const encodeRequest = ({ method, target, headers, body }: RequestParts): Buffer =>
  Buffer.concat([
    Buffer.from(
      [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '\r\n'].join('\r\n'),
      'latin1',
    ),
    body,
  ]);

/** An answer as received. */
export interface HttpAnswer {
  readonly status: number;
  /** Values by header name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Unpacked where it came packed. */
  readonly body: Buffer;
}

/** The whole answers in bytes from a server, and the remaining bytes. */
export interface ParsedAnswers {
  readonly answers: readonly HttpAnswer[];
  readonly rest: Buffer;
}

/**
 * Parses answers one behind another, each as long as its `Content-Length` says.
 * @throws where something is no HTTP answer
 */
export const parseAnswers = (bytes: Buffer, isHead: boolean): ParsedAnswers => {
  const answers: HttpAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return { answers, rest };
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no HTTP answer: ${statusLine}`);
    const headers = new Map(lines.map((line) => splitHeader(line)));
    const hasBody = status >= 200 && status !== 204 && status !== 304 && !isHead;
    const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0;
    if (rest.length < headEnd + 4 + length) return { answers, rest };
    const body = rest.subarray(headEnd + 4, headEnd + 4 + length);
    const isPacked = length > 0 && headers.get('content-encoding') === 'gzip';
    answers.push({ status, headers, body: isPacked ? gunzipSync(body) : body });
    rest = rest.subarray(headEnd + 4 + length);
  }
};

const splitHeader = (line: string): [string, string] => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
};
