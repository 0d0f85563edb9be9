import { join } from 'node:path';

/** Custom resource kinds of other projects, each with the Go module that contains the definition. */
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

/** Folder of the schemas of custom kinds. */
export const schemasFolder = join(import.meta.dirname, '../../charts/hearth/tests/schemas');

/** Returns the file name that kubeconform expects for a schema, such as `httproute-gateway-v1.json`. */
export const schemaName = (apiVersion: string, kind: string): string =>
  `${kind.toLowerCase()}-${apiVersion.replace(/[.][^/]*/, '').replace('/', '-')}.json`;

/** The fields read from a custom resource definition. */
export interface CustomDefinition {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema: { openAPIV3Schema: object } }[];
  };
}

/**
 * Returns the schema of one version as JSON, without descriptions. It rejects unknown fields, like `kubectl
 * --validate=strict`.
 * @throws Error if the definition does not have the version
 */
export const makeSchemaOfCustomKind = ({ spec }: CustomDefinition, apiVersion: string): string => {
  const served = spec.versions.find(({ name }) => apiVersion.endsWith(`/${name}`));
  if (served === undefined) throw new Error(`the CRD has no version ${apiVersion}`);
  return JSON.stringify(served.schema.openAPIV3Schema, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') return undefined;
    return isClosed(value) ? { ...value, additionalProperties: false } : value;
  });
};

/** Returns true if a node is the schema of an object with a fixed set of fields. */
const isClosed = (node: unknown): node is object => {
  const schema = (node ?? {}) as Readonly<Record<string, unknown>>;
  return (
    schema['type'] === 'object' &&
    schema['properties'] !== undefined &&
    schema['additionalProperties'] === undefined &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  );
};
