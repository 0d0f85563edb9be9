/** Namespace of the drill, created by it and deleted at the end. */
export const namespace = 'hearth-drill';

const labels = (app: string): object => ({ 'app.kubernetes.io/name': app });

/** Requirements of Pod Security `restricted`. */
const podSecurity = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } };
const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

const deployment = (
  name: string,
  spec: object,
  pod: { readonly containers: readonly object[]; readonly [field: string]: unknown },
): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: labels(name) },
    template: {
      metadata: { labels: labels(name) },
      spec: {
        automountServiceAccountToken: false,
        securityContext: podSecurity,
        ...pod,
        containers: pod.containers.map((container) => ({ securityContext: containerSecurity, ...container })),
      },
    },
    ...spec,
  },
});

const redis = deployment(
  'redis',
  { replicas: 1 },
  {
    containers: [
      {
        name: 'redis',
        image: 'valkey/valkey:9.1-alpine',
        imagePullPolicy: 'IfNotPresent',
        args: ['--save', '', '--appendonly', 'no'],
        ports: [{ containerPort: 6_379 }],
        readinessProbe: { tcpSocket: { port: 6_379 }, periodSeconds: 1 },
        resources: { requests: { cpu: '10m' } },
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  },
);

/** Returns a Deployment of `worker.ts`. It has no `replicas`, because the operator sets them. */
const workers = (name: string): object =>
  deployment(
    name,
    {},
    {
      terminationGracePeriodSeconds: 20,
      containers: [
        {
          name: 'worker',
          image: 'hearth-drill-worker:0.0.0',
          imagePullPolicy: 'IfNotPresent',
          env: [
            { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'REDIS_URL', valueFrom: { secretKeyRef: { name: 'hearth-redis', key: 'url' } } },
          ],
          resources: { requests: { cpu: '10m' } },
        },
      ],
    },
  );

/** Namespace that enforces Pod Security `restricted`. */
export const namespaceManifest = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
};

/** Redis and the targets of two example QueueScalers. */
export const drilledManifests = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'hearth-redis' },
      stringData: { url: 'redis://redis:6379' },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'redis' },
      spec: { selector: labels('redis'), ports: [{ port: 6_379 }] },
    },
    redis,
    workers('hearth-worker-media'),
    workers('hearth-worker-transcode'),
  ],
};

/** Changes to the example `media`: short windows and more steps, so that a cycle takes minutes. */
export const quickened = {
  maxReplicas: 6,
  pollIntervalSeconds: 2,
  lookaheadSeconds: 2,
  cooldownSeconds: 20,
  queues: [{ name: 'media', jobsPerReplica: 5 }],
  behavior: {
    scaleUp: { maxPods: 2, maxPercent: 0, periodSeconds: 6 },
    scaleDown: { stabilizationWindowSeconds: 4, maxPods: 1, periodSeconds: 4 },
  },
};
