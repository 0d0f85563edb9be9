import { queueScalerApi, type QueueScalerStatus } from '../queueScaler.ts';
import type {
  Deployment,
  LabelSelector,
  Lease,
  LeaseSpec,
  List,
  OtherScaler,
  Pod,
  QueueScaler,
  Secret,
} from './objects.ts';
import { isApiError, type ApiRequest, type Transport } from './transport.ts';

/** By this name Kubernetes knows which fields are ours. */
export const fieldManager = 'hearth-queue-scaler';

/** What the operator asks of the API server, in one namespace, and nothing else: `manifests/operator.yaml` allows exactly this. */
export interface Cluster {
  readonly namespace: string;
  listQueueScalers(): Promise<List<QueueScaler>>;
  /** The changes after a resource version, one JSON object a line, for at most `seconds`. */
  watchQueueScalers(resourceVersion: string, seconds: number, signal: AbortSignal): AsyncIterable<string>;
  findQueueScaler(name: string): Promise<QueueScaler | undefined>;
  /** Owns every field of the status. */
  applyStatus(name: string, status: QueueScalerStatus): Promise<void>;
  /** Also undefined where the Role does not allow to read it. */
  findDeployment(name: string): Promise<Deployment | undefined>;
  /** @throws ApiError 409 where the Deployment is no longer what was read */
  scaleDeployment(deployment: Deployment, replicas: number): Promise<void>;
  listPods(selector: LabelSelector): Promise<readonly Pod[]>;
  /** Does nothing where the pod is gone. */
  annotatePod(name: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  listAutoscalers(): Promise<readonly OtherScaler[]>;
  /** None where KEDA is not installed. */
  listScaledObjects(): Promise<readonly OtherScaler[]>;
  /** Also undefined where the Role does not allow to read it. */
  findSecret(name: string): Promise<Secret | undefined>;
  createEvent(event: EventBody): Promise<void>;
  findLease(name: string): Promise<Lease | undefined>;
  /** @throws ApiError 409 where it is there */
  createLease(name: string, spec: LeaseSpec): Promise<Lease>;
  /** @throws ApiError 409 where it is no longer what was read */
  updateLease(lease: Lease, spec: LeaseSpec): Promise<Lease>;
}

/** Milliseconds for a lease: less than half of the time after which a leader that cannot renew it gives up. */
const leaseMs = 4_000;

/** A leader whose lists are slow is still the leader. */
const ofLease = { timeoutMs: leaseMs, isUrgent: true };

/** Milliseconds for a list, which may be long. */
const listMs = 20_000;

/** What happened to a QueueScaler. */
export interface EventBody {
  readonly regarding: QueueScaler;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Thrown instead of a write by a process that does not lead any more. */
export class NotLeadingError extends Error {
  constructor() {
    super('this process does not lead any more, and writes nothing');
    this.name = 'NotLeadingError';
  }
}

/** Leases are written by everybody, everything else only while `mayWrite`. */
export const openCluster = (transport: Transport, namespace: string, mayWrite: () => boolean): Cluster => {
  const scoped = (group: string, resource: string, ...rest: readonly string[]): string =>
    [`${group}/namespaces/${namespace}/${resource}`, ...rest.map(encodeURIComponent)].join('/');
  const scalers = `/apis/${queueScalerApi.group}/${queueScalerApi.version}`;
  const leases = '/apis/coordination.k8s.io/v1';
  const list = <Item>(path: string, query: ApiRequest['query'] = {}): Promise<List<Item>> =>
    transport.ask<List<Item>>({ method: 'GET', path, query, timeoutMs: listMs });
  const find = <Answer>(path: string): Promise<Answer | undefined> =>
    orNone(transport.ask<Answer>({ method: 'GET', path }));
  const write = async (request: ApiRequest): Promise<void> => {
    if (!mayWrite()) throw new NotLeadingError();
    await transport.ask({ ...request, query: { ...request.query, fieldManager } });
  };
  const merge = (path: string, body: unknown): Promise<void> =>
    write({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });

  return {
    namespace,
    listQueueScalers: () => list(scoped(scalers, queueScalerApi.plural)),
    watchQueueScalers: (resourceVersion, seconds, signal) =>
      transport.lines(
        {
          method: 'GET',
          path: scoped(scalers, queueScalerApi.plural),
          query: { watch: 'true', allowWatchBookmarks: 'true', resourceVersion, timeoutSeconds: String(seconds) },
        },
        signal,
      ),
    findQueueScaler: (name) => find(scoped(scalers, queueScalerApi.plural, name)),
    applyStatus: (name, status) =>
      write({
        method: 'PATCH',
        path: scoped(scalers, queueScalerApi.plural, name, 'status'),
        query: { force: 'true' },
        body: {
          apiVersion: `${queueScalerApi.group}/${queueScalerApi.version}`,
          kind: 'QueueScaler',
          metadata: { name, namespace },
          status,
        },
        contentType: 'application/apply-patch+yaml',
      }),
    findDeployment: (name) =>
      orNone(transport.ask({ method: 'GET', path: scoped('/apis/apps/v1', 'deployments', name) }), 403),
    scaleDeployment: ({ metadata: { name, resourceVersion } }, replicas) =>
      merge(scoped('/apis/apps/v1', 'deployments', name, 'scale'), {
        metadata: { resourceVersion },
        spec: { replicas },
      }),
    listPods: async (selector) =>
      (await list<Pod>(scoped('/api/v1', 'pods'), { labelSelector: selectorText(selector) })).items,
    annotatePod: (name, annotations) => orNone(merge(scoped('/api/v1', 'pods', name), { metadata: { annotations } })),
    listAutoscalers: async () =>
      (await list<OtherScaler>(scoped('/apis/autoscaling/v2', 'horizontalpodautoscalers'))).items,
    listScaledObjects: async () =>
      (await orNone(list<OtherScaler>(scoped('/apis/keda.sh/v1alpha1', 'scaledobjects'))))?.items ?? [],
    findSecret: (name) => orNone(transport.ask({ method: 'GET', path: scoped('/api/v1', 'secrets', name) }), 403),
    createEvent: ({ regarding, type, reason, message }) =>
      write({ method: 'POST', path: scoped('/api/v1', 'events'), body: eventBody(regarding, type, reason, message) }),
    findLease: (name) => orNone(transport.ask({ method: 'GET', path: scoped(leases, 'leases', name), ...ofLease })),
    createLease: (name, spec) =>
      transport.ask({
        ...ofLease,
        method: 'POST',
        path: scoped(leases, 'leases'),
        body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec },
      }),
    updateLease: ({ metadata }, spec) =>
      transport.ask({
        ...ofLease,
        method: 'PUT',
        path: scoped(leases, 'leases', metadata.name),
        body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec },
      }),
  };
};

/** Undefined where there is no such thing. */
const orNone = async <Answer>(answer: Promise<Answer>, ...statuses: number[]): Promise<Answer | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (isApiError(error, 404, ...statuses)) return undefined;
    throw error;
  }
};

/** A selector as query strings have it. */
const selectorText = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string =>
  [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'In':
          return `${key} in (${values.join(',')})`;
        case 'NotIn':
          return `${key} notin (${values.join(',')})`;
        case 'Exists':
          return key;
        case 'DoesNotExist':
          return `!${key}`;
      }
    }),
  ].join(',');

const eventBody = ({ metadata }: QueueScaler, type: string, reason: string, message: string): unknown => {
  const timestamp = new Date().toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${metadata.name.slice(0, 200)}.`, namespace: metadata.namespace },
    involvedObject: {
      apiVersion: `${queueScalerApi.group}/${queueScalerApi.version}`,
      kind: 'QueueScaler',
      name: metadata.name,
      namespace: metadata.namespace,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    },
    type,
    reason,
    message: message.slice(0, 1_024),
    count: 1,
    firstTimestamp: timestamp,
    lastTimestamp: timestamp,
    source: { component: fieldManager },
    reportingComponent: fieldManager,
    reportingInstance: fieldManager,
  };
};
