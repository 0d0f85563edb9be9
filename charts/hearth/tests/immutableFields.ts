import type { KubernetesObject } from './kubernetesObject.ts';

/** Returns the immutable fields of each object, by `kind name`. An upgrade that changes one of them fails. */
export const immutableFields = (objects: readonly KubernetesObject[]): Readonly<Record<string, object>> =>
  Object.fromEntries(
    objects.flatMap(({ kind, metadata, spec, roleRef }): readonly (readonly [string, object])[] => {
      const what = `${kind} ${metadata.name}`;
      if (kind === 'Deployment') return [[what, { selector: spec!.selector }]];
      if (kind === 'StatefulSet') {
        const { selector, serviceName, volumeClaimTemplates = [] } = spec!;
        return [[what, { selector, serviceName, volumeClaimTemplates }]];
      }
      if (kind === 'PersistentVolumeClaim') return [[what, { spec }]];
      if (kind === 'RoleBinding') return [[what, { roleRef }]];
      return [];
    }),
  );
