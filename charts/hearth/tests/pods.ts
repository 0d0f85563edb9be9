import type { Container, KubernetesObject, PodSpec } from './kubernetesObject.ts';

/** The pods that an object makes, with the name by which a test speaks of them. */
export interface PodTemplate {
  /** `Deployment hearth-api`. */
  readonly what: string;
  readonly object: KubernetesObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** The pods of all workloads, hooks and tests among the objects. */
export const podTemplates = (objects: readonly KubernetesObject[]): readonly PodTemplate[] =>
  objects.flatMap((object) => {
    const { kind, metadata, spec } = object;
    const what = `${kind} ${metadata.name}`;
    if (kind === 'Pod') return [{ what, object, labels: metadata.labels ?? {}, spec: spec as unknown as PodSpec }];
    if (spec?.template === undefined) return [];
    return [{ what, object, labels: spec.template.metadata.labels ?? {}, spec: spec.template.spec }];
  });

/** Every container of a pod, those that run before the others first. */
export const containersOf = ({ initContainers = [], containers }: PodSpec): readonly Container[] => [
  ...initContainers,
  ...containers,
];

/** Whether it runs for as long as the release does: no hook and no test. */
export const isServing = ({ object }: PodTemplate): boolean =>
  object.metadata.annotations?.['helm.sh/hook'] === undefined;

/** Whether a selector selects these labels; an empty one selects all, as in Kubernetes. */
export const selects = (
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([name, value]) => labels[name] === value);
