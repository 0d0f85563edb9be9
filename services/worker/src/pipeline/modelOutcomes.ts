import type { Outcome } from '@hearth/core/runs/runOutcomes.ts';
import { InferenceError } from '@hearth/inference/process/inferenceError.ts';
import { MissingModelError } from '@hearth/inference/store/missingModel.ts';
import type { Component, ComponentOutcome } from '../context/component.ts';
import type { WorkerModels } from '../context/workerModels.ts';
import { getRequiredTasks, taskCapabilities } from '../context/tools.ts';

/** Returns the BLOCKED outcome of a component whose models are missing, and requests the models. Undefined if none is missing. */
export const findBlockingModels = (
  models: WorkerModels,
  { capabilities }: Component,
): Extract<ComponentOutcome, { readonly state: 'BLOCKED' }> | undefined => {
  const blockedOn = models.listMissingCapabilities().find((capability) => capabilities.includes(capability));
  if (blockedOn === undefined) return undefined;
  models.requestMissing();
  return { state: 'BLOCKED', reason: 'NO_MODEL', blockedOn };
};

/** Returns the outcome of a run for an error of its models; undefined for other errors. */
export const toModelOutcome = (
  error: unknown,
  models: WorkerModels,
  { capabilities }: Component,
): Outcome | undefined => {
  const [task] = getRequiredTasks(capabilities);
  if (error instanceof MissingModelError && task !== undefined) {
    // A file was deleted since the last check.
    models.requestMissing();
    return { state: 'BLOCKED', reason: 'NO_MODEL', blockedOn: taskCapabilities[task] };
  }
  if (error instanceof InferenceError)
    return error.code === 'FAILED' ? { state: 'FAILED', reason: 'INTERNAL' } : { state: 'RETRY', reason: error.code };
  return undefined;
};
