import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { describeTypes, type Schema } from './describeTypes.ts';

/** The only definition of QueueScaler; the chart installs it. */
export const crdFile = new URL('../../../../charts/hearth/crds/queueScalers.yaml', import.meta.url);

/** What is made from it. */
export const typesFile = new URL('../queueScaler.ts', import.meta.url);

/** The part of a CRD that is read. */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** The text of `typesFile`. */
export const renderTypes = async (): Promise<string> => {
  const { spec } = parse(await readFile(crdFile, 'utf8')) as Definition;
  const [version] = spec.versions;
  if (version === undefined) throw new Error('the CRD has no version');
  const { spec: specSchema, status: statusSchema } = version.schema.openAPIV3Schema.properties ?? {};
  if (specSchema === undefined || statusSchema === undefined) throw new Error('the CRD has no spec or no status');
  return `// Made from charts/hearth/crds/queueScalers.yaml by npm run crd:types -w operators/queue-scaler: change that file, not this one.

/** Where the API server has QueueScalers. */
export const queueScalerApi = {
  group: '${spec.group}',
  version: '${version.name}',
  plural: '${spec.names.plural}',
} as const;

${describeTypes('QueueScalerSpec', specSchema)}
${describeTypes('QueueScalerStatus', statusSchema)}`;
};
