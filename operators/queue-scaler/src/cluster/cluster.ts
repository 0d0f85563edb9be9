import {
  AppsV1Api,
  AutoscalingV2Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  PatchStrategy,
  setHeaderOptions,
  type ConfigurationOptions,
  type CoreV1Event,
  type V1Deployment,
  type V1LabelSelector,
  type V1Lease,
  type V1LeaseSpec,
  type V1Pod,
  type V1Secret,
} from '@kubernetes/client-node';
import { queueScalerApi, type QueueScalerStatus } from '../queueScaler.ts';
import { isApiError } from './apiError.ts';
import type { ApiServer, WatchEvent } from './apiServer.ts';
import type { List, OtherScaler, QueueScaler } from './objects.ts';

/** By this name Kubernetes knows which fields are ours. */
export const fieldManager = 'hearth-queue-scaler';

/** What the operator asks of the API server, in one namespace, and nothing else: `manifests/operator.yaml` allows exactly this. */
export interface Cluster {
  readonly namespace: string;
  listQueueScalers(): Promise<List<QueueScaler>>;
  /** Tells of the changes after a resource version, and of bookmarks, for at most `seconds`. */
  watchQueueScalers(
    resourceVersion: string,
    seconds: number,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<void>;
  findQueueScaler(name: string): Promise<QueueScaler | undefined>;
  /** Owns every field of the status. */
  applyStatus(name: string, status: QueueScalerStatus): Promise<void>;
  /** Also undefined where the Role does not allow to read it. */
  findDeployment(name: string): Promise<V1Deployment | undefined>;
  /** @throws ApiError 409 where the Deployment is no longer what was read */
  scaleDeployment(deployment: V1Deployment, replicas: number): Promise<void>;
  listPods(selector: V1LabelSelector): Promise<readonly V1Pod[]>;
  /** Does nothing where the pod is gone. */
  annotatePod(name: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  listAutoscalers(): Promise<readonly OtherScaler[]>;
  /** None where KEDA is not installed. */
  listScaledObjects(): Promise<readonly OtherScaler[]>;
  /** Also undefined where the Role does not allow to read it. */
  findSecret(name: string): Promise<V1Secret | undefined>;
  createEvent(event: EventBody): Promise<void>;
  findLease(name: string): Promise<V1Lease | undefined>;
  /** @throws ApiError 409 where it is there */
  createLease(name: string, spec: V1LeaseSpec): Promise<V1Lease>;
  /** @throws ApiError 409 where it is no longer what was read */
  updateLease(lease: V1Lease, spec: V1LeaseSpec): Promise<V1Lease>;
}

/** Milliseconds for a lease: less than half of the time after which a leader that cannot renew it gives up. */
const leaseMs = 4_000;

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
export const openCluster = (server: ApiServer, namespace: string, mayWrite: () => boolean): Cluster => {
  const core = server.client(CoreV1Api);
  const apps = server.client(AppsV1Api);
  const autoscaling = server.client(AutoscalingV2Api);
  const custom = server.client(CustomObjectsApi);
  // A leader whose lists are slow is still the leader.
  const coordination = server.client(CoordinationV1Api, 'urgent');
  const scalers = { ...queueScalerApi, namespace };
  const { ask } = server;
  const write = async (call: (options: ConfigurationOptions) => Promise<unknown>): Promise<void> => {
    if (!mayWrite()) throw new NotLeadingError();
    await ask(call);
  };
  const patch = (strategy: string, call: (options: ConfigurationOptions) => Promise<unknown>): Promise<void> =>
    write((options) => call(setHeaderOptions('Content-Type', strategy, options)));

  return {
    namespace,
    listQueueScalers: () =>
      ask<List<QueueScaler>>((options) => custom.listNamespacedCustomObject(scalers, options), listMs),
    watchQueueScalers: (resourceVersion, seconds, onEvent, signal) =>
      server.watch(
        `/apis/${queueScalerApi.group}/${queueScalerApi.version}/namespaces/${namespace}/${queueScalerApi.plural}`,
        { allowWatchBookmarks: 'true', resourceVersion, timeoutSeconds: String(seconds) },
        onEvent,
        signal,
      ),
    findQueueScaler: (name) =>
      orNone(ask<QueueScaler>((options) => custom.getNamespacedCustomObject({ ...scalers, name }, options))),
    applyStatus: (name, status) => {
      const body = {
        apiVersion: `${queueScalerApi.group}/${queueScalerApi.version}`,
        kind: 'QueueScaler',
        metadata: { name, namespace },
        status,
      };
      return patch(PatchStrategy.ServerSideApply, (options) =>
        custom.patchNamespacedCustomObjectStatus({ ...scalers, name, body, fieldManager, force: true }, options),
      );
    },
    findDeployment: (name) =>
      orNone(
        ask((options) => apps.readNamespacedDeployment({ name, namespace }, options)),
        403,
      ),
    scaleDeployment: ({ metadata: { name = '', resourceVersion } = {} }, replicas) => {
      const body = { metadata: { resourceVersion }, spec: { replicas } };
      return patch(PatchStrategy.MergePatch, (options) =>
        apps.patchNamespacedDeploymentScale({ name, namespace, body, fieldManager }, options),
      );
    },
    listPods: async (selector) => {
      const labelSelector = selectorText(selector);
      const { items } = await ask((options) => core.listNamespacedPod({ namespace, labelSelector }, options), listMs);
      return items;
    },
    annotatePod: (name, annotations) => {
      const body = { metadata: { annotations } };
      return orNone(
        patch(PatchStrategy.MergePatch, (options) =>
          core.patchNamespacedPod({ name, namespace, body, fieldManager }, options),
        ),
      );
    },
    listAutoscalers: async () =>
      (await ask((options) => autoscaling.listNamespacedHorizontalPodAutoscaler({ namespace }, options), listMs)).items,
    listScaledObjects: async () => {
      const scaledObjects = { group: 'keda.sh', version: 'v1alpha1', plural: 'scaledobjects', namespace };
      const list = await orNone(
        ask<List<OtherScaler>>((options) => custom.listNamespacedCustomObject(scaledObjects, options), listMs),
      );
      return list?.items ?? [];
    },
    findSecret: (name) =>
      orNone(
        ask((options) => core.readNamespacedSecret({ name, namespace }, options)),
        403,
      ),
    createEvent: (event) =>
      write((options) => core.createNamespacedEvent({ namespace, body: eventBody(event), fieldManager }, options)),
    findLease: (name) =>
      orNone(ask((options) => coordination.readNamespacedLease({ name, namespace }, options), leaseMs)),
    createLease: (name, spec) => {
      const body = leaseOf({ name, namespace }, spec);
      return ask((options) => coordination.createNamespacedLease({ namespace, body }, options), leaseMs);
    },
    updateLease: ({ metadata = {} }, spec) => {
      const { name = '', resourceVersion } = metadata;
      const body = leaseOf({ name, namespace, resourceVersion }, spec);
      return ask((options) => coordination.replaceNamespacedLease({ name, namespace, body }, options), leaseMs);
    },
  };
};

const leaseOf = (metadata: V1Lease['metadata'], spec: V1LeaseSpec): V1Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata,
  spec,
});

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
const selectorText = ({ matchLabels = {}, matchExpressions = [] }: V1LabelSelector): string =>
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
        default:
          // To leave it out would select pods of others.
          throw new Error(`the selector's operator ${operator} is not known`);
      }
    }),
  ].join(',');

const eventBody = ({ regarding: { metadata }, type, reason, message }: EventBody): CoreV1Event => {
  const at = new Date();
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
    firstTimestamp: at,
    lastTimestamp: at,
    source: { component: fieldManager },
    reportingComponent: fieldManager,
    reportingInstance: fieldManager,
  };
};
