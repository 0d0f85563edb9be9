import { quantity } from '@hearth/testkit/run/quantity.ts';
import type { Pod } from './pods.ts';

/** What the containers of pods ask for, all together. */
export const sumRequests = (pods: readonly Pod[]): { readonly memoryBytes: number; readonly cpus: number } => {
  const sum = (resource: string): number =>
    pods
      .flatMap(({ spec }) => spec.containers)
      .reduce((total, { resources }) => total + quantity(resources.requests?.[resource] ?? 0), 0);
  return { memoryBytes: sum('memory'), cpus: Math.round(sum('cpu') * 1_000) / 1_000 };
};
