import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { describeTypes, type Schema } from './describeTypes.ts';

/** CRD of QueueScaler, which the chart installs. */
export const crdFile = new URL('../../../../charts/hearth/crds/queueScalers.yaml', import.meta.url);

/** TypeScript file generated from the CRD. */
export const typesFile = new URL('../api/queueScaler.ts', import.meta.url);

/** The fields read from the CRD. */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** Returns the generated text of `typesFile`. */
export const renderTypes = async (): Promise<string> => {
  const { spec } = parse(await readFile(crdFile, 'utf8')) as Definition;
  const [version] = spec.versions;
  if (version === undefined) throw new Error('the CRD has no version');
  const { spec: specSchema, status: statusSchema } = version.schema.openAPIV3Schema.properties ?? {};
  if (specSchema === undefined || statusSchema === undefined) throw new Error('the CRD has no spec or no status');
  return `// Generated from charts/hearth/crds/queueScalers.yaml by npm run crd:types -w operators/queue-scaler: change that file, not this one.

/** The API group, version and resource name of QueueScalers. */
export const queueScalerApi = {
  group: '${spec.group}',
  version: '${version.name}',
  plural: '${spec.names.plural}',
} as const;

${describeTypes('QueueScalerSpec', specSchema)}
${describeTypes('QueueScalerStatus', statusSchema)}`;
};
