import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Respond } from '@hearth/testkit/servers/fileServer.ts';
import type { QueueScalerSpec } from '../api/queueScaler.ts';
import { makeSpec } from './specs.ts';

/** A request to the fake API server. */
export interface RecordedRequest {
  /** Method and resource, such as `PATCH deployments/scale`. */
  readonly verb: string;
  readonly name: string | undefined;
  readonly query: URLSearchParams;
  readonly at: number;
  /** Authorization header. */
  readonly token: string | undefined;
  /** Status of the response. 0 if there was none. */
  status: number;
}

/**
 * Fault of the server: an error status, other bytes on the socket, no response, or a cut connection. With `delayMs` the
 * server handles the request later, and with `lateMs` it responds later.
 */
export type Misbehaviour =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly delayMs?: number; readonly lateMs?: number }
  | { readonly respond: Respond }
  | 'silence'
  | 'cut';

/** A fake API server without a cluster, for the namespace `test`. */
export interface FakeApi {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  readonly objects: ReadonlyMap<string, FakeObject>;
  /** Creates or changes an object, as another client would. */
  put(resource: string, name: string, content: object): void;
  remove(resource: string, name: string): void;
  /** Calls `how` with each request. Undefined means a normal response. */
  misbehave(how: ((request: RecordedRequest) => Misbehaviour | undefined) | undefined): void;
  /** Writes a line to every open watch. */
  writeToWatches(line: string): void;
  /** Ends every open watch, as a real server does after some minutes, or cuts its connection. */
  endWatches(how: 'end' | 'cut'): void;
  /** Turns the delivery of changes to watches on or off. */
  notifyWatches(isNotified: boolean): void;
  watchCount(): number;
  stop(): Promise<void>;
}

export interface FakeObject {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly generation: number;
    annotations?: Record<string, string>;
  };
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

export const startFakeApi = async (): Promise<FakeApi> => {
  const objects = new Map<string, FakeObject>();
  const requests: RecordedRequest[] = [];
  const watches = new Set<ServerResponse>();
  let version = 100;
  let isNotified = true;
  let misbehaviour: ((request: RecordedRequest) => Misbehaviour | undefined) | undefined;

  const events: { readonly version: number; readonly line: string }[] = [];
  const writeLine = (line: string): void => {
    for (const watch of watches) watch.write(`${line}\n`);
  };
  const notify = (type: string, object: FakeObject): void => {
    if (!isNotified) return;
    const line = JSON.stringify({ type, object });
    events.push({ version, line });
    writeLine(line);
  };
  const store = (resource: string, name: string, content: object): FakeObject => {
    const key = `${resource}/${name}`;
    const before = objects.get(key);
    const merged = { ...before, ...content } as FakeObject;
    const isNewSpec = JSON.stringify(before?.spec) !== JSON.stringify(merged.spec);
    const metadata = {
      namespace: 'test',
      uid: before === undefined ? `uid-${version}` : (before.metadata as { uid?: string }).uid,
      creationTimestamp: '2026-11-21T12:00:00Z',
      ...before?.metadata,
      ...merged.metadata,
      name,
      resourceVersion: String((version += 1)),
      generation: (before?.metadata.generation ?? 0) + (isNewSpec ? 1 : 0),
    };
    const object = { ...merged, metadata } as FakeObject;
    objects.set(key, object);
    if (resource === 'queuescalers') notify(before === undefined ? 'ADDED' : 'MODIFIED', object);
    return object;
  };

  const respond = async (
    request: RecordedRequest,
    req: IncomingMessage,
    res: ServerResponse,
    lateMs: number,
  ): Promise<void> => {
    const { verb, name, query } = request;
    const [method = '', path = ''] = verb.replace('WATCH', 'GET').split(' ');
    const [resource = '', subresource] = path.split('/');
    const send = (status: number, body: object): void => {
      request.status = status;
      const json = JSON.stringify(body);
      setTimeout(() => res.writeHead(status, { 'Content-Type': 'application/json' }).end(json), lateMs);
    };
    const refuse = (status: number, message: string): void => send(status, { kind: 'Status', code: status, message });
    const object = objects.get(`${resource}/${name}`);
    const body = JSON.parse((await text(req)) || '{}') as FakeObject & { metadata?: FakeObject['metadata'] };
    if (resource === 'scaledobjects') return refuse(404, 'the server could not find the requested resource');
    if (name === undefined && method === 'GET') {
      if (query.get('watch') === 'true') {
        request.status = 200;
        res.writeHead(200).flushHeaders();
        watches.add(res.on('close', () => watches.delete(res)));
        for (const each of events) if (each.version > Number(query.get('resourceVersion'))) res.write(`${each.line}\n`);
        return;
      }
      const items = [...objects].filter(([key]) => key.startsWith(`${resource}/`)).map(([, item]) => item);
      return send(200, { metadata: { resourceVersion: String(version) }, items });
    }
    if (method === 'POST') {
      const created = body.metadata.name ?? `event-${version}`;
      if (objects.has(`${resource}/${created}`)) return refuse(409, 'already exists');
      return send(201, store(resource, created, body));
    }
    if (object === undefined || name === undefined) return refuse(404, 'not found');
    if (method === 'GET') return send(200, object);
    const expected = body.metadata?.resourceVersion;
    if (expected !== undefined && expected !== object.metadata.resourceVersion)
      return refuse(409, 'the object has been modified');
    if (method === 'PUT') return send(200, store(resource, name, { spec: body.spec }));
    if (subresource === 'status') return send(200, store(resource, name, { status: body.status }));
    if (subresource === 'scale') {
      const replicas = body.spec?.['replicas'] as number;
      return send(200, store(resource, name, { ...makeDeployment(replicas), spec: { ...object.spec, replicas } }));
    }
    const { annotations } = body.metadata;
    return send(200, store(resource, name, { metadata: { ...object.metadata, annotations } }));
  };

  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '', 'http://localhost');
    const [resource = '', name, subresource] = url.pathname.replace(/^.*\/namespaces\/test\//, '').split('/');
    const isWatch = url.searchParams.get('watch') === 'true';
    const verb = `${isWatch ? 'WATCH' : req.method} ${[resource, subresource].filter(Boolean).join('/')}`;
    const request = {
      verb,
      name,
      query: url.searchParams,
      at: performance.now(),
      token: req.headers.authorization,
      status: 0,
    };
    requests.push(request);
    const how = misbehaviour?.(request);
    if (how === 'silence') return;
    if (how === 'cut') return void res.destroy();
    if (how !== undefined && 'respond' in how)
      return how.respond(req.socket, { path: req.url ?? '', headers: new Map(), offset: 0 }, longObject);
    if (how !== undefined && 'status' in how) {
      request.status = how.status;
      return void res.writeHead(how.status, how.headers).end('{"message":"rejected by the test"}');
    }
    const handle = (): void => {
      // Fails if the client has disconnected.
      respond(request, req, res, how?.lateMs ?? 0).catch(() => res.destroy());
    };
    setTimeout(handle, how?.delayMs ?? 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    objects,
    put: (resource, name, content) => void store(resource, name, content),
    remove: (resource, name) => {
      const object = objects.get(`${resource}/${name}`);
      objects.delete(`${resource}/${name}`);
      version += 1;
      if (object !== undefined && resource === 'queuescalers')
        notify('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
    },
    misbehave: (how) => (misbehaviour = how),
    writeToWatches: writeLine,
    endWatches: (how) => {
      for (const watch of watches) void (how === 'end' ? watch.end() : watch.destroy());
    },
    notifyWatches: (value) => (isNotified = value),
    watchCount: () => watches.size,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** Longer than the client's read-ahead. */
const longObject = Buffer.from(`{"long":"${'x'.repeat(2_000_000)}"}`);

/** Returns a Deployment without missing or outdated pods. */
export const makeDeployment = (replicas: number): object => ({
  spec: { replicas, selector: { matchLabels: { app: 'worker' } } },
  status: { observedGeneration: 1_000, replicas, updatedReplicas: replicas },
});

/** Returns a QueueScaler that polls every second and scales down immediately. */
export const makeFastScaler = (spec: Parameters<typeof makeSpec>[0] = {}): { readonly spec: QueueScalerSpec } => ({
  spec: makeSpec({
    pollIntervalSeconds: 1,
    cooldownSeconds: 0,
    behavior: {
      scaleUp: { maxPods: 100 },
      scaleDown: { stabilizationWindowSeconds: 0, maxPods: 100, periodSeconds: 1 },
    },
    ...spec,
  }),
});
