import { join } from 'node:path';

/** The oldest and the newest version of Kubernetes that the chart is checked for; `kubeVersion` in Chart.yaml begins with the first. */
export const checkedVersions = ['v1.29.6', 'v1.37.2'] as const;

/** The kinds of Kubernetes that the chart uses, and their API. */
export const checkedKinds: Readonly<Record<string, string>> = {
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
  ConfigMap: 'v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking.k8s.io/v1',
  Job: 'batch/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PersistentVolumeClaim: 'v1',
  Pod: 'v1',
  PodDisruptionBudget: 'policy/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  Service: 'v1',
  ServiceAccount: 'v1',
  StatefulSet: 'apps/v1',
};

/** Kinds that others define, each with the Go module that has the definition. */
export const customKinds = [
  {
    kind: 'HTTPRoute',
    apiVersion: 'gateway.networking.k8s.io/v1',
    module: 'sigs.k8s.io/gateway-api',
    version: 'v1.6.3',
    path: 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
  },
  ...(['ServiceMonitor', 'PodMonitor', 'PrometheusRule'] as const).map((kind) => ({
    kind,
    apiVersion: 'monitoring.coreos.com/v1',
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    path: `example/prometheus-operator-crd/monitoring.coreos.com_${kind.toLowerCase()}s.yaml`,
  })),
] as const;

export const schemasFolder = join(import.meta.dirname, '../../charts/hearth/tests/schemas');

/** The name of the file of a kind's schema, as kubeconform looks for it: `role-rbac-v1.json`. */
export const schemaName = (apiVersion: string, kind: string): string =>
  `${kind.toLowerCase()}-${apiVersion.replace(/[.][^/]*/, '').replace('/', '-')}.json`;
