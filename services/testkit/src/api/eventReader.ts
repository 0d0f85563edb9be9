import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { checkResponse, checkEvent } from './responseChecker.ts';

export interface SeenEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly type?: string; readonly id?: string; readonly status?: string };
}

/** An open stream of live updates, read as a client does. */
export interface EventReader {
  readonly status: number;
  readonly response: IncomingMessage;
  /** Events so far, each checked against the contract. */
  readonly events: readonly SeenEvent[];
  /** Returns the number of comments so far. */
  readonly heartbeats: () => number;
  /** Resolves with the first past or future event that matches. Fails if the stream ends first. */
  until(isMatch: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  /** Resolves when the stream has ended, with false if the connection broke. */
  readonly ended: Promise<boolean>;
  /** Returns the id of the last event, to resume from. */
  lastId(): string | undefined;
  close(): Promise<void>;
}

/** Opens the live updates of the token's user. */
export const readEvents = async (
  url: string,
  token: string,
  { lastId }: { readonly lastId?: string | undefined } = {},
): Promise<EventReader> => {
  const headers = { authorization: `Bearer ${token}`, ...(lastId !== undefined && { 'last-event-id': lastId }) };
  const request = get(`${url}/v1/events`, { agent: false, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // Checks successes only: error bodies are not read here.
  checkHeaders(response);
  const events: SeenEvent[] = [];
  let heartbeats = 0;
  let rest = '';
  let isClosed = false;
  let changed = Promise.withResolvers<void>();
  const notify = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) heartbeats += 1;
      else if (!block.startsWith('retry:')) events.push(parseEvent(block));
    }
    notify();
  });
  const ended = new Promise<boolean>((resolve) => {
    response
      .on('error', () => undefined)
      .on('close', () => {
        isClosed = true;
        notify();
        resolve(response.complete);
      });
  });
  return {
    status: response.statusCode ?? 0,
    response,
    events,
    heartbeats: () => heartbeats,
    until: async (isMatch) => {
      for (;;) {
        const found = events.find(isMatch);
        if (found !== undefined) return found;
        assert.ok(!isClosed, `the stream ended with ${JSON.stringify(events)}`);
        await changed.promise;
      }
    },
    ended,
    lastId: () => events.at(-1)?.id,
    close: async () => {
      request.destroy();
      await ended;
    },
  };
};

const checkHeaders = ({ statusCode = 0, headers }: IncomingMessage): void => {
  if (statusCode !== 200) return;
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  checkResponse('watchEvents', { status: statusCode, headers: new Headers(pairs), bytes: Buffer.alloc(0) });
};

const parseEvent = (block: string): SeenEvent => {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const event = { event: fields.get('event'), id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') };
  checkEvent('watchEvents', event);
  return event as SeenEvent;
};
