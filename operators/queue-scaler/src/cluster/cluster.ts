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
  type V1Lease,
  type V1LeaseSpec,
  type V1Pod,
  type V1Secret,
} from '@kubernetes/client-node';
import { queueScalerApi, type QueueScalerStatus } from '../api/queueScaler.ts';
import { undefinedOnStatus } from './apiError.ts';
import type { ApiServer, WatchEvent } from './apiServer.ts';
import { checkList, checkObject } from './checkResponse.ts';
import type { List, OtherScaler, QueueScaler } from '../api/objects.ts';

/** Field manager name for our changes. */
export const fieldManager = 'hearth-queue-scaler';

/** All requests of the operator, in one namespace. The Role in `manifests/operator.yaml` allows exactly these. */
export interface Cluster {
  readonly namespace: string;
  listQueueScalers(): Promise<List<QueueScaler>>;
  /** Delivers changes after a resource version, and bookmarks, for at most ten minutes. */
  watchQueueScalers(resourceVersion: string, onEvent: (event: WatchEvent) => void, signal: AbortSignal): Promise<void>;
  findQueueScaler(name: string): Promise<QueueScaler | undefined>;
  /** Applies the whole status, and takes ownership of every field. */
  applyStatus(name: string, status: QueueScalerStatus): Promise<void>;
  /** Returns undefined also if the Role does not allow the request. */
  findDeployment(name: string): Promise<V1Deployment | undefined>;
  /** @throws ApiError 409 if the Deployment has changed since it was read */
  scaleDeployment(deployment: V1Deployment, replicas: number): Promise<void>;
  listPods(labelSelector: string): Promise<readonly V1Pod[]>;
  /** Does nothing if the pod no longer exists. */
  annotatePod(name: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  listAutoscalers(): Promise<readonly OtherScaler[]>;
  /** Returns an empty list if KEDA is not installed. */
  listScaledObjects(): Promise<readonly OtherScaler[]>;
  /** Returns undefined also if the Role does not allow the request. */
  findSecret(name: string): Promise<V1Secret | undefined>;
  createEvent(event: ScalerEvent): Promise<void>;
  findLease(name: string): Promise<V1Lease | undefined>;
  /** @throws ApiError 409 if it already exists */
  createLease(name: string, spec: V1LeaseSpec): Promise<V1Lease>;
  /** @throws ApiError 409 if it has changed since it was read */
  updateLease(lease: V1Lease, spec: V1LeaseSpec): Promise<V1Lease>;
}

/** Timeout of lease requests in ms, short enough for two attempts within the renew deadline. */
const leaseTimeoutMs = 4_000;

/** Timeout of list requests in ms. Lists may be long. */
const listTimeoutMs = 20_000;

/** Maximum duration of a watch, in seconds. A new list follows, which makes up for lost events. */
const watchSeconds = 600;

/** A Kubernetes event about a QueueScaler. */
export interface ScalerEvent {
  readonly regarding: QueueScaler;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Thrown instead of sending a write when this process is no longer the leader. */
export class NotLeadingError extends Error {
  constructor() {
    super('not the leader any more; the write was not sent');
    this.name = 'NotLeadingError';
  }
}

/** Opens the cluster. Rejects all writes, except those of leases, unless `mayWrite` returns true. */
export const openCluster = (server: ApiServer, namespace: string, mayWrite: () => boolean): Cluster => {
  const core = server.client(CoreV1Api);
  const apps = server.client(AppsV1Api);
  const autoscaling = server.client(AutoscalingV2Api);
  const custom = server.client(CustomObjectsApi);
  // Slow lists must not keep the leader from renewing its lease.
  const coordination = server.client(CoordinationV1Api, 'urgent');
  const scalers = { ...queueScalerApi, namespace };
  const { request } = server;
  const write = async (call: (options: ConfigurationOptions) => Promise<unknown>): Promise<void> => {
    if (!mayWrite()) throw new NotLeadingError();
    await request(call);
  };
  const find = async <Item extends Parameters<typeof checkObject>[0]>(
    name: string,
    part: 'spec' | undefined,
    call: (options: ConfigurationOptions) => Promise<Item>,
    timeoutMs?: number,
  ): Promise<Item | undefined> => {
    const item = await undefinedOnStatus(request(call, timeoutMs));
    return item === undefined ? undefined : checkObject(item, name, part);
  };
  const writeLease = async (
    name: string,
    call: (options: ConfigurationOptions) => Promise<V1Lease>,
  ): Promise<V1Lease> => checkObject(await request(call, leaseTimeoutMs), name);
  const patch = (strategy: string, call: (options: ConfigurationOptions) => Promise<unknown>): Promise<void> =>
    write((options) => call(setHeaderOptions('Content-Type', strategy, options)));

  return {
    namespace,
    listQueueScalers: async () =>
      checkList(
        await request<List<QueueScaler>>(
          (options) => custom.listNamespacedCustomObject(scalers, options),
          listTimeoutMs,
        ),
        'spec',
      ),
    watchQueueScalers: (resourceVersion, onEvent, signal) => {
      const query = new URLSearchParams({
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion,
        timeoutSeconds: String(watchSeconds),
      });
      const { group, version, plural } = queueScalerApi;
      return server.watch(
        `/apis/${group}/${version}/namespaces/${namespace}/${plural}?${query.toString()}`,
        onEvent,
        signal,
      );
    },
    findQueueScaler: (name) =>
      find(name, 'spec', (options): Promise<QueueScaler> =>
        custom.getNamespacedCustomObject({ ...scalers, name }, options),
      ),
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
      undefinedOnStatus(
        find(name, 'spec', (options) => apps.readNamespacedDeployment({ name, namespace }, options)),
        403,
      ),
    scaleDeployment: ({ metadata: { name = '', resourceVersion } = {} }, replicas) => {
      const body = { metadata: { resourceVersion }, spec: { replicas } };
      return patch(PatchStrategy.MergePatch, (options) =>
        apps.patchNamespacedDeploymentScale({ name, namespace, body, fieldManager }, options),
      );
    },
    listPods: async (labelSelector) => {
      const list = await request(
        (options) => core.listNamespacedPod({ namespace, labelSelector }, options),
        listTimeoutMs,
      );
      return checkList(list).items;
    },
    annotatePod: (name, annotations) => {
      const body = { metadata: { annotations } };
      return undefinedOnStatus(
        patch(PatchStrategy.MergePatch, (options) =>
          core.patchNamespacedPod({ name, namespace, body, fieldManager }, options),
        ),
      );
    },
    listAutoscalers: async () =>
      checkList(
        await request(
          (options) => autoscaling.listNamespacedHorizontalPodAutoscaler({ namespace }, options),
          listTimeoutMs,
        ),
      ).items,
    listScaledObjects: async () => {
      const scaledObjects = { group: 'keda.sh', version: 'v1alpha1', plural: 'scaledobjects', namespace };
      const list = await undefinedOnStatus(
        request<List<OtherScaler>>(
          (options) => custom.listNamespacedCustomObject(scaledObjects, options),
          listTimeoutMs,
        ),
      );
      return list === undefined ? [] : checkList(list).items;
    },
    findSecret: (name) =>
      undefinedOnStatus(
        find(name, undefined, (options) => core.readNamespacedSecret({ name, namespace }, options)),
        403,
      ),
    createEvent: (event) =>
      write((options) => core.createNamespacedEvent({ namespace, body: toEventBody(event), fieldManager }, options)),
    findLease: (name) =>
      find(
        name,
        undefined,
        (options) => coordination.readNamespacedLease({ name, namespace }, options),
        leaseTimeoutMs,
      ),
    createLease: (name, spec) => {
      const body = toLease({ name, namespace }, spec);
      return writeLease(name, (options) => coordination.createNamespacedLease({ namespace, body }, options));
    },
    updateLease: ({ metadata = {} }, spec) => {
      const { name = '', resourceVersion } = metadata;
      const body = toLease({ name, namespace, resourceVersion }, spec);
      return writeLease(name, (options) => coordination.replaceNamespacedLease({ name, namespace, body }, options));
    },
  };
};

const toLease = (metadata: V1Lease['metadata'], spec: V1LeaseSpec): V1Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata,
  spec,
});

const toEventBody = ({ regarding: { metadata }, type, reason, message }: ScalerEvent): CoreV1Event => {
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
