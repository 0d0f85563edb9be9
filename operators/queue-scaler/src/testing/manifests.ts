import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { KubernetesManifest } from './controlPlane.ts';

/** Namespace of all objects in the tests. */
export const namespace = 'hearth';

/** Invalid spec fields with the message of the API server. */
export const wrongSpecs: readonly (readonly [object, RegExp])[] = [
  [{ minReplicas: 4 }, /minReplicas must not be greater than maxReplicas/],
  [{ maxReplicas: 101 }, /maxReplicas.*less than or equal to 100/],
  [{ maxReplicas: 0 }, /maxReplicas.*greater than or equal to 1/],
  [{ queues: [] }, /queues.*at least 1 items/],
  [{ queues: Array.from({ length: 17 }, (_, index) => ({ name: `q${index}` })) }, /queues.*at most 16 items/],
  [{ queues: [{ name: 'a' }, { name: 'a' }] }, /Duplicate value/],
  [{ queues: [{ name: 'a:b' }] }, /a BullMQ queue name contains no colon/],
  [{ queues: [{ name: 'a', jobsPerReplica: 0 }] }, /jobsPerReplica.*greater than or equal to 1/],
  [{ scaleTargetRef: { kind: 'StatefulSet', name: 'worker' } }, /Unsupported value: "StatefulSet"/],
  [{ fallback: { behavior: 'Static' } }, /fallback.replicas is needed unless fallback.behavior is Hold/],
  [{ fallback: { behavior: 'AtLeast' } }, /fallback.replicas is needed unless fallback.behavior is Hold/],
  [{ fallback: { behavior: 'AtLeast', replicas: 4 } }, /fallback.replicas must not be greater than maxReplicas/],
  [{ protectBusyPods: 'Always' }, /Unsupported value: "Always"/],
  [{ pollIntervalSeconds: 0 }, /pollIntervalSeconds.*greater than or equal to 1/],
  [{ behavior: { scaleDown: { maxPods: 0 } } }, /maxPods.*greater than or equal to 1/],
  [{ redis: {} }, /secretRef: Required value/],
];

const otherTarget = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'hearth-worker-media' } };

/** Other autoscalers of the same Deployment, by resource name. */
export const otherScalers: readonly (readonly [string, KubernetesManifest])[] = [
  [
    'horizontalpodautoscalers',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'other', namespace },
      spec: {
        ...otherTarget,
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
      },
    },
  ],
  [
    'scaledobjects',
    {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name: 'other', namespace },
      spec: otherTarget,
    },
  ],
];

/** Service accounts, one per operator replica, so that the audit log distinguishes them. */
const accounts = ['hearth-queue-scaler', 'second', 'third'];

/** Returns the example manifests for these accounts, without the Deployment. */
export const operatorManifests = async (): Promise<readonly KubernetesManifest[]> => {
  const text = await readFile(new URL('../../manifests/operator.yaml', import.meta.url), 'utf8');
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as KubernetesManifest);
  const subjects = accounts.map((name) => ({ kind: 'ServiceAccount', name, namespace }));
  return manifests
    .filter(({ kind }) => kind !== 'Deployment' && kind !== 'ServiceAccount')
    .concat(accounts.map((name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })))
    .map((manifest) =>
      Object.assign(
        manifest,
        { metadata: { ...manifest.metadata, namespace } },
        manifest.kind === 'RoleBinding' && { subjects },
      ),
    );
};

/** Returns the resource name of a manifest's kind. */
export const getPlural = ({ kind }: KubernetesManifest): string => `${kind.toLowerCase()}s`;

/** Returns a Deployment whose simulated pods run no program. */
export const workerDeployment = (name: string): KubernetesManifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'worker', image: 'hearth-worker:0.0.0' }] },
    },
  },
});

/** A minimal CRD of KEDA's ScaledObject. */
export const scaledObjectDefinition: KubernetesManifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'scaledobjects.keda.sh' },
  spec: {
    group: 'keda.sh',
    scope: 'Namespaced',
    names: { kind: 'ScaledObject', plural: 'scaledobjects', singular: 'scaledobject', listKind: 'ScaledObjectList' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
};
