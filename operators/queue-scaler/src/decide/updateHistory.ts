import type { QueueScalerSpec } from '../api/queueScaler.ts';
import type { Decision } from './decide.ts';
import type { History } from './history.ts';
import { countBacklog, isActive, type Observation } from './observation.ts';

/** Adds a poll to the history, and drops entries older than every window and period. */
export const updateHistory = (
  history: History,
  { spec, observation, decision, change }: Poll,
  now: number,
): History => {
  const { scaleUp, scaleDown } = spec.behavior;
  const windowMs = Math.max(scaleUp.stabilizationWindowSeconds, scaleDown.stabilizationWindowSeconds) * 1_000;
  const periodMs = Math.max(scaleUp.periodSeconds, scaleDown.periodSeconds) * 1_000;
  const isKnown = observation.unknownQueues.length === 0;
  const latest = decision.recommended === undefined ? [] : [{ at: now, replicas: decision.recommended }];
  // A static fallback without protection may scale down: the current replicas must not delay it.
  const mayScaleDown = decision.reason === 'FallbackStatic' && spec.protectBusyPods === 'Off';
  const held = isKnown || mayScaleDown ? [] : [{ at: now, replicas: observation.currentReplicas }];
  return {
    recommendations: [...history.recommendations.filter(({ at }) => at > now - windowMs), ...latest],
    held: [...history.held.filter(({ at }) => at > now - windowMs), ...held],
    scalings: [
      ...history.scalings.filter(({ at }) => at > now - periodMs),
      ...(change === 0 ? [] : [{ at: now, change }]),
    ],
    backlog: isKnown ? countBacklog(observation) : history.backlog,
    // An unknown queue may be active.
    lastActiveAt: isActive(observation) || !isKnown ? now : history.lastActiveAt,
    failures: isKnown ? 0 : history.failures + 1,
  };
};

interface Poll {
  readonly spec: QueueScalerSpec;
  readonly observation: Observation;
  readonly decision: Decision;
  /** Change of the replicas. 0 if the decision was not applied. */
  readonly change: number;
}
