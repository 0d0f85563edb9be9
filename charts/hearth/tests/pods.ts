import type { Container, KubernetesObject, PodSpec } from './kubernetesObject.ts';

/** The pod template of an object, with a label for messages. */
export interface PodTemplate {
  /** Kind and name, such as `Deployment hearth-api`. */
  readonly what: string;
  readonly object: KubernetesObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Returns the pods of all workloads, hooks and tests. */
export const podTemplates = (objects: readonly KubernetesObject[]): readonly PodTemplate[] =>
  objects.flatMap((object) => {
    const { kind, metadata, spec } = object;
    const what = `${kind} ${metadata.name}`;
    if (kind === 'Pod') return [{ what, object, labels: metadata.labels ?? {}, spec: spec as unknown as PodSpec }];
    if (spec?.template === undefined) return [];
    return [{ what, object, labels: spec.template.metadata.labels ?? {}, spec: spec.template.spec }];
  });

/** Returns all containers of a pod, init containers first. */
export const containersOf = ({ initContainers = [], containers }: PodSpec): readonly Container[] => [
  ...initContainers,
  ...containers,
];

/** Returns true if the pod runs as long as the release, unlike hooks and tests. */
export const isServing = ({ object }: PodTemplate): boolean =>
  object.metadata.annotations?.['helm.sh/hook'] === undefined;

/** Returns true if a selector matches the labels. An empty one matches all, as in Kubernetes. */
export const selects = (
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([name, value]) => labels[name] === value);
