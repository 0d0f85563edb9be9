import { join } from 'node:path';

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

/** The folder of the schemas of custom kinds. */
export const schemasFolder = join(import.meta.dirname, '../../charts/hearth/tests/schemas');

/** The name of a schema's file, as kubeconform looks for it: `httproute-gateway-v1.json`. */
export const schemaName = (apiVersion: string, kind: string): string =>
  `${kind.toLowerCase()}-${apiVersion.replace(/[.][^/]*/, '').replace('/', '-')}.json`;

/** The part of a custom resource definition that is read. */
export interface CustomDefinition {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema: { openAPIV3Schema: object } }[];
  };
}

/**
 * Returns the schema of a version in a definition as JSON, without descriptions. It refuses unknown fields, as `kubectl --validate=strict` does.
 * @throws Error if the definition has no such version
 */
export const schemaOfCustomKind = ({ spec }: CustomDefinition, apiVersion: string): string => {
  const served = spec.versions.find(({ name }) => apiVersion.endsWith(`/${name}`));
  if (served === undefined) throw new Error(`the definition has no ${apiVersion}`);
  return JSON.stringify(served.schema.openAPIV3Schema, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') return undefined;
    return isClosed(value) ? { ...value, additionalProperties: false } : value;
  });
};

/** Checks if a node is the schema of an object with a fixed set of fields. */
const isClosed = (node: unknown): node is object => {
  const schema = (node ?? {}) as Readonly<Record<string, unknown>>;
  return (
    schema['type'] === 'object' &&
    schema['properties'] !== undefined &&
    schema['additionalProperties'] === undefined &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  );
};
