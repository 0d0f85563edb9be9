import { Agent, get } from 'node:http';

/** A complete response. */
export interface TimedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** From the start of the request to the end of the response. */
  readonly ms: number;
}

// One connection, as a single client has.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a GET request over a keep-alive connection. @throws if the status is not 200 */
export const requestOnce = (url: URL, token?: string): Promise<TimedResponse> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const begunAt = performance.now();
    get(url, { agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      response.on('end', () => {
        const ms = performance.now() - begunAt;
        const text = Buffer.concat(parts).toString();
        const status = response.statusCode ?? 0;
        if (status === 200) resolve({ status, headers: response.headers, text, ms });
        else reject(new Error(`GET ${url.pathname}${url.search} returned ${status} ${text}`));
      });
    }).on('error', reject);
  });
