import type { QueueScalerSpec } from '../queueScaler.ts';
import type { Decision } from './decide.ts';
import type { History } from './history.ts';
import { backlogOf, isActive, type Observation } from './observation.ts';

/** The history for the next decision. `change` is by how much the number of pods was really changed. */
export const remember = (
  history: History,
  { spec, observation, decision, change }: Remarkable,
  now: number,
): History => {
  const { scaleUp, scaleDown } = spec.behavior;
  const windowMs = Math.max(scaleUp.stabilizationWindowSeconds, scaleDown.stabilizationWindowSeconds) * 1_000;
  const periodMs = Math.max(scaleUp.periodSeconds, scaleDown.periodSeconds) * 1_000;
  const isKnown = observation.unknownQueues.length === 0;
  const latest = decision.recommended === undefined ? [] : [{ at: now, replicas: decision.recommended }];
  // A static fallback may take pods away: the pods that are there must not delay it.
  const mayFall = decision.reason === 'FallbackStatic' && spec.protectBusyPods === 'Off';
  const held = isKnown || mayFall ? [] : [{ at: now, replicas: observation.currentReplicas }];
  return {
    recommendations: [...history.recommendations.filter(({ at }) => at > now - windowMs), ...latest],
    held: [...history.held.filter(({ at }) => at > now - windowMs), ...held],
    scalings: [
      ...history.scalings.filter(({ at }) => at > now - periodMs),
      ...(change === 0 ? [] : [{ at: now, change }]),
    ],
    backlog: isKnown ? backlogOf(observation) : history.backlog,
    // An unknown queue may be active.
    lastActiveAt: isActive(observation) || !isKnown ? now : history.lastActiveAt,
    failures: isKnown ? 0 : history.failures + 1,
  };
};

/** A poll, its decision, and what became of it. */
interface Remarkable {
  readonly spec: QueueScalerSpec;
  readonly observation: Observation;
  readonly decision: Decision;
  readonly change: number;
}
