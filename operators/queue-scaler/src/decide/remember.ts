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
  const wanted = decision.wanted === undefined ? [] : [{ at: now, replicas: decision.wanted }];
  // A fallback that takes pods away is not to be held up by those that are there.
  const mayFall = decision.reason === 'FallbackStatic' && spec.protectBusyPods === 'Off';
  const held = isKnown || mayFall ? [] : [{ at: now, replicas: observation.currentReplicas }];
  return {
    wanted: [...history.wanted.filter(({ at }) => at > now - windowMs), ...wanted],
    held: [...history.held.filter(({ at }) => at > now - windowMs), ...held],
    scalings: [
      ...history.scalings.filter(({ at }) => at > now - periodMs),
      ...(change === 0 ? [] : [{ at: now, change }]),
    ],
    backlog: isKnown ? backlogOf(observation) : history.backlog,
    // What is not known may be active.
    lastActiveAt: isActive(observation) || !isKnown ? now : history.lastActiveAt,
    failures: isKnown ? 0 : history.failures + 1,
  };
};

/** What a history is made of. */
interface Remarkable {
  readonly spec: QueueScalerSpec;
  readonly observation: Observation;
  readonly decision: Decision;
  readonly change: number;
}
