import type { Cluster, EventBody } from '../cluster/cluster.ts';
import type { QueueScaler } from '../cluster/objects.ts';
import type { Decision } from '../decide/decide.ts';
import type { Observation } from '../decide/observation.ts';
import type { Log } from '../log.ts';
import type { QueueScalerStatus } from '../queueScaler.ts';
import { changedConditions, isNews, isWell } from './status.ts';

/** By whom everything is told. */
export interface TellDeps {
  readonly cluster: Pick<Cluster, 'applyStatus' | 'createEvent'>;
  readonly log: Log;
}

/** Writes a status that says something new, and tells of the conditions that changed. */
export const writeStatus = async (deps: TellDeps, scaler: QueueScaler, after: QueueScalerStatus): Promise<void> => {
  if (!isNews(scaler.status, after)) return;
  await deps.cluster.applyStatus(scaler.metadata.name, after);
  for (const condition of changedConditions(scaler.status, after)) {
    const { type, status, reason, message } = condition;
    deps.log.info({ scaler: scaler.metadata.name, type, status, reason, message }, 'condition changed');
    const kind = isWell(condition) ? 'Normal' : 'Warning';
    await tell(deps, { regarding: scaler, type: kind, reason, message: `${type}: ${message}` });
  }
};

export const tellScaling = async (
  deps: TellDeps,
  scaler: QueueScaler,
  { currentReplicas: from }: Observation,
  { replicas: to, reason }: Decision,
): Promise<void> => {
  deps.log.info({ scaler: scaler.metadata.name, from, to, reason }, 'scaled');
  const message = `scaled ${to > from ? 'up' : 'down'} Deployment ${scaler.spec.scaleTargetRef.name} from ${from} to ${to} replicas: ${reason}`;
  await tell(deps, { regarding: scaler, type: 'Normal', reason: to > from ? 'ScaledUp' : 'ScaledDown', message });
};

/** An event that gets lost is no reason to do anything again. */
const tell = async ({ cluster, log }: TellDeps, event: EventBody): Promise<void> => {
  await cluster.createEvent(event).catch((error: unknown) => log.warn({ err: error }, 'an event could not be created'));
};
