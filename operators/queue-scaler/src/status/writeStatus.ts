import type { Cluster, ScalerEvent } from '../cluster/cluster.ts';
import type { QueueScaler } from '../api/objects.ts';
import type { Decision } from '../decide/decide.ts';
import type { Observation } from '../decide/observation.ts';
import type { QueueScalerStatus } from '../api/queueScaler.ts';
import { listChangedConditions, hasChanged, isHealthy } from './status.ts';

/** The part of the logger that is used here. */
interface StatusLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface StatusDeps {
  readonly cluster: Pick<Cluster, 'applyStatus' | 'createEvent'>;
  readonly log: StatusLog;
}

/** Writes the status if it has changed, and reports changed conditions as events and in the log. */
export const writeStatus = async (deps: StatusDeps, scaler: QueueScaler, after: QueueScalerStatus): Promise<void> => {
  if (!hasChanged(scaler.status, after)) return;
  await deps.cluster.applyStatus(scaler.metadata.name, after);
  for (const condition of listChangedConditions(scaler.status, after)) {
    const { type, status, reason, message } = condition;
    deps.log.info({ scaler: scaler.metadata.name, type, status, reason, message }, 'condition changed');
    const eventType = isHealthy(condition) ? 'Normal' : 'Warning';
    await createEvent(deps, { regarding: scaler, type: eventType, reason, message: `${type}: ${message}` });
  }
};

/** Reports a scale up or scale down as an event and in the log. */
export const reportScaling = async (
  deps: StatusDeps,
  scaler: QueueScaler,
  { currentReplicas: from }: Observation,
  { replicas: to, reason }: Decision,
): Promise<void> => {
  deps.log.info({ scaler: scaler.metadata.name, from, to, reason }, 'scaled');
  const message = `scaled ${to > from ? 'up' : 'down'} Deployment ${scaler.spec.scaleTargetRef.name} from ${from} to ${to} replicas: ${reason}`;
  await createEvent(deps, {
    regarding: scaler,
    type: 'Normal',
    reason: to > from ? 'ScaledUp' : 'ScaledDown',
    message,
  });
};

/** Events are best effort: a failure does not fail the reconcile. */
const createEvent = async ({ cluster, log }: StatusDeps, event: ScalerEvent): Promise<void> => {
  await cluster.createEvent(event).catch((error: unknown) => log.warn({ err: error }, 'event could not be created'));
};
