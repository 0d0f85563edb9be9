import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';

/** A value of the chart, as README.md lists it. */
export interface ValueRow {
  /** `api.service.port`. */
  readonly path: string;
  /** The default, as YAML in one line; of what has rows of its own below it, nothing. */
  readonly default: string | undefined;
  /** The comment above it. */
  readonly description: string;
}

/** A top-level key of values.yaml: its comment, and the rows below it. */
export interface ValueSection {
  readonly name: string;
  readonly description: string;
  readonly rows: readonly ValueRow[];
}

/**
 * The sections of a commented values.yaml. A key without a comment gets the words for its name, which are the same wherever it stands.
 * @throws Error that names a key which has neither
 */
export const listValues = (text: string): readonly ValueSection[] => {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error('values.yaml is no map');
  return pairsOf(contents).map(({ name, comment, node, flow }) => {
    if (comment === '') throw new Error(`${name} has no comment`);
    const rows =
      isMap(node) && node.items.length > 0
        ? listRows(node, name)
        : [{ path: name, default: flow, description: comment }];
    return { name, description: comment, rows };
  });
};

/** Of keys that mean the same wherever they stand; empty where the name says it all. */
const usualDescriptions: Readonly<Record<string, string>> = {
  image: '',
  existing: '',
  persistence: '',
  scaling: '',
  autoscaling: '',
  service: '',
  enabled: '',
  adminUsername: '',
  annotations: '',
  hostnames: 'Names by which people reach it.',
  hosts: 'Names by which people reach it.',
  className: 'Empty for the default of the cluster.',
  type: '`ClusterIP`, `NodePort` or `LoadBalancer`.',
  port: '',
  loadBalancerIP: 'Not every implementation honours it.',
  to: 'Peers, as in a NetworkPolicy.',
  ports: '',
  replicas: '',
  minReplicas: '',
  maxReplicas: '',
  urlKey: 'Its key for the address.',
  accessKeyKey: '',
  secretKeyKey: '',
  pollIntervalSeconds: 'Seconds between two looks at the queue.',
  scrapeInterval: '',
  serviceMonitor: 'For the API and the operator.',
  podMonitor: 'For the workers.',
  rules: 'Recording rules and alerts.',
  dashboards: 'ConfigMaps that Grafana finds.',
  imagePullPolicy: '',
  registry: '',
  repository: '',
  tag: '',
  digest: 'Such as `sha256:…`; empty for that of a released chart, or else for the tag alone.',
  resources: 'What a pod asks for, and its bounds.',
  podLabels: 'More labels for the pods.',
  podAnnotations: '',
  nodeSelector: 'Labels of nodes for the pods.',
  tolerations: 'Taints of nodes that the pods put up with.',
  affinity: 'Where the pods rather run, as in a pod.',
  priorityClassName: '',
  runtimeClassName: 'Such as `nvidia`, for a GPU.',
  existingClaim: 'A PersistentVolumeClaim that is there already.',
  size: 'Of the volume.',
  storageClassName: 'Empty for the default of the cluster.',
  accessModes: '',
};

const listRows = (map: YAMLMap, path: string): readonly ValueRow[] =>
  pairsOf(map).flatMap(({ name, comment, node, flow }): readonly ValueRow[] => {
    const here = `${path}.${name}`;
    const description = comment || usualDescriptions[name];
    if (description === undefined) throw new Error(`${here} has no comment`);
    if (!isMap(node) || isWhole(path, name, node)) return [{ path: here, default: flow, description }];
    const own: ValueRow[] = comment === '' ? [] : [{ path: here, default: undefined, description }];
    return own.concat(listRows(node, here));
  });

/** Whether a map is one value to its reader: it is empty, in one line, what a pod asks for, a server's settings, or a pool. */
const isWhole = (path: string, name: string, node: YAMLMap): boolean =>
  node.items.length === 0 ||
  node.flow === true ||
  name === 'resources' ||
  name === 'settings' ||
  path.endsWith('.pools');

/** The entries of a map, each with the comment above it and its value in one line. */
const pairsOf = (map: YAMLMap) =>
  map.items.map((pair: Pair, index) => {
    const key = pair.key;
    if (!isScalar(key)) throw new Error('a key is no text');
    // The comment above the first entry of a map belongs to the map.
    const comment = (index === 0 ? (map.commentBefore ?? key.commentBefore) : key.commentBefore) ?? '';
    const node = pair.value;
    return { name: String(key.value), comment: tidy(comment), node, flow: inOneLine(node) };
  });

/** The last paragraph of a comment, in one line. */
const tidy = (comment: string): string => (comment.split(/\n\s*\n/).at(-1) ?? '').replaceAll(/\s*\n\s*/g, ' ').trim();

const inOneLine = (node: unknown): string => {
  const value = (node as { toJSON(): unknown }).toJSON();
  return JSON.stringify(value)
    .replaceAll(/"([A-Za-z_][\w-]*)":/g, '$1: ')
    .replaceAll(/,(?=[^ ])/g, ', ')
    .replaceAll(/"/g, "'");
};
