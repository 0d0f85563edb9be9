import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A Secret in the fake API server. Values are in Base64. */
export interface StoredSecret {
  readonly labels?: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
  readonly version: number;
}

/** A fake API server with the Secrets of the namespace `photos`. */
export interface FakeSecrets {
  readonly url: string;
  readonly secrets: Map<string, StoredSecret>;
  /** Method and name of each request in order. Creations have no name. */
  readonly requests: string[];
  /** Called before each response. Returns a status to send instead, or undefined. */
  intercept: (request: string) => number | undefined;
  close(): Promise<void>;
}

interface Body {
  readonly metadata?: {
    readonly name?: string;
    readonly resourceVersion?: string;
    readonly labels?: StoredSecret['labels'];
  };
  readonly data?: StoredSecret['data'];
}

const prefix = '/api/v1/namespaces/photos/secrets';

/** Starts the server on a free port. It returns 404 and 409 like Kubernetes, and tracks a version of each Secret. */
export const startFakeSecrets = async (): Promise<FakeSecrets> => {
  const secrets: FakeSecrets['secrets'] = new Map();
  const requests: string[] = [];
  const fake: { intercept: FakeSecrets['intercept'] } = { intercept: () => undefined };
  const respond = (method: string, name: string, { metadata = {}, data = {} }: Body): [number, object] => {
    const existing = secrets.get(name || (metadata.name ?? ''));
    if (method === 'POST') {
      if (existing) return [409, { message: `secrets "${metadata.name}" already exists` }];
      secrets.set(metadata.name ?? '', { data, version: 1, ...(metadata.labels && { labels: metadata.labels }) });
      return [201, {}];
    }
    if (existing === undefined) return [404, { message: `secrets "${name}" not found` }];
    if (method === 'PATCH') {
      if (metadata.resourceVersion !== String(existing.version))
        return [409, { message: 'the object has been modified' }];
      secrets.set(name, { ...existing, data: { ...existing.data, ...data }, version: existing.version + 1 });
    }
    const { data: stored, version } = secrets.get(name)!;
    return [200, { metadata: { name, resourceVersion: String(version) }, data: stored }];
  };
  const server = createServer((req, res) => {
    void (async () => {
      const body = req.method === 'GET' ? {} : ((await json(req)) as Body);
      const name = (req.url ?? '').slice(prefix.length + 1);
      const request = `${req.method} ${name}`.trim();
      requests.push(request);
      const isExpected = req.url?.startsWith(prefix) && req.headers.authorization === 'Bearer the-token';
      const override = isExpected ? fake.intercept(request) : 403;
      const [status, content] = override ? [override, { message: 'not now' }] : respond(req.method ?? '', name, body);
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secrets,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
};
