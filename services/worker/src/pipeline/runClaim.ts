import { setTimeout as sleep } from 'node:timers/promises';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { maxAttempts, recordProgress, renewLease, type Claim } from '@hearth/core/runs/componentRuns.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { recordOutcome, type Outcome } from '@hearth/core/runs/runOutcomes.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { isNotFound, StoreError } from '@hearth/core/objects/objectErrors.ts';
import { type Component, type ItemContext, type RunControl, OriginalFaultError } from '../context/component.ts';
import { getItemDeps, type Deps } from '../context/deps.ts';
import { findBlockingModels, toModelOutcome } from './modelOutcomes.ts';
import { DecodeError } from '../media/errors/decodeError.ts';
import { isNoSpaceError, NoSpaceError } from '../media/errors/noSpace.ts';
import { PreviewMissingError } from '../context/itemContext.ts';
import { trackWrites, removeWritesOfDeletedItem } from './trackedWrites.ts';

/** Run outcomes as metric labels. DROPPED: another worker has claimed the run, or the item was deleted. */
export const runOutcomes = ['DONE', 'SKIPPED', 'BLOCKED', 'FAILED', 'RETRY', 'POSTPONED', 'DROPPED'] as const;

/** Lease duration, in ms. */
export const getLeaseMs = ({ config }: Deps): number => config.leaseSeconds * 1_000;

/**
 * Runs the component of a claim, renews its lease meanwhile, and records the outcome. Returns the components of the item that are due, or undefined if
 * another worker has claimed the run or the item was deleted.
 */
export const runClaim = async (
  deps: Deps,
  component: Component,
  claim: Claim,
  context: ItemContext,
): Promise<readonly ComponentName[] | undefined> => {
  const endTimer = metrics.runSeconds.startTimer({ component: claim.component });
  const leaseLost = new AbortController();
  const signal = AbortSignal.any([deps.stopping, leaseLost.signal]);
  const renewal = setInterval(
    () => {
      renewLease(deps.db, claim, getLeaseMs(deps)).then(
        (isOurs) => isOurs || leaseLost.abort(),
        (error: unknown) => deps.log.debug({ err: error }, 'lease not renewed'),
      );
    },
    getLeaseMs(deps) / 3,
  );
  const writes = trackWrites(deps.objects);
  let outcome: Outcome;
  try {
    if (await deps.disk.isLow()) throw new NoSpaceError('free disk space is below the reserve');
    const itemDeps = getItemDeps(deps, context.item.user_id, claim.hasTimedOut ? retryTimeoutFactor : 1);
    const componentOutcome =
      findBlockingModels(deps.inference, component) ??
      (await component.run({ ...itemDeps, objects: writes.objects }, context, {
        signal,
        report: reportProgress(deps, claim),
      }));
    outcome = await verifyOriginal(componentOutcome, context);
    if (outcome !== componentOutcome)
      deps.log.warn(
        { component: claim.component, found: summarize(componentOutcome) },
        'original changed while being read',
      );
  } catch (error) {
    outcome = signal.aborted
      ? { state: 'POSTPONED', reason: 'INTERRUPTED' }
      : await verifyOriginal(toModelOutcome(error, deps.inference, component) ?? toOutcome(error, claim), context);
    deps.log[outcome.state === 'FAILED' || signal.aborted ? 'info' : 'warn'](
      { err: error, component: claim.component, attempts: claim.attempts, ...summarize(outcome) },
      signal.aborted ? 'run released' : 'run failed',
    );
  }
  try {
    const recorded = await retryWhileDatabaseUnavailable(getLeaseMs(deps), () =>
      recordOutcome(deps.db, claim, outcome, deps.pipeline),
    );
    if (recorded === undefined) {
      deps.log.info({ component: claim.component }, 'lease lost, result discarded');
      await removeWritesOfDeletedItem(deps, claim.mediaItemId, writes);
    }
    endTimer();
    metrics.runs.inc({
      component: claim.component,
      outcome: recorded === undefined ? 'DROPPED' : getOutcomeLabel(outcome, claim),
    });
    return recorded;
  } finally {
    clearInterval(renewal);
  }
};

/** Interval of recording a run's progress, in ms. */
const progressIntervalMs = 2_000;

const reportProgress = ({ db, log }: Deps, claim: Claim): RunControl['report'] => {
  let recordedPercent = 0;
  let recordedAt = -Infinity;
  return (fraction) => {
    const percent = Math.floor(100 * Math.min(1, Math.max(0, fraction)));
    if (percent === recordedPercent || Date.now() - recordedAt < progressIntervalMs) return;
    recordedPercent = percent;
    recordedAt = Date.now();
    recordProgress(db, claim, percent).catch((error: unknown) =>
      log.debug({ err: error }, 'could not record progress'),
    );
  };
};

/** A retry after the last attempt counts as a failure. */
const getOutcomeLabel = ({ state }: Outcome, { attempts }: Claim): (typeof runOutcomes)[number] =>
  state === 'RETRY' && attempts >= maxAttempts ? 'FAILED' : state;

const summarize = (outcome: Outcome) => ({
  state: outcome.state,
  ...('reason' in outcome && { reason: outcome.reason }),
});

/**
 * Delay before retrying a run that found the disk full, in ms. A transcode may have run for hours before it filled the disk, and other runs need the
 * same core.
 */
const noSpaceRetryMs = 60_000;

/** Multiplier of time limits in the attempt after a timeout. */
const retryTimeoutFactor = 3;

/** Returns the outcome of a run that threw this error. */
const toOutcome = (error: unknown, { hasTimedOut }: Claim): Outcome => {
  if (error instanceof PreviewMissingError) return error.outcome;
  if (error instanceof DecodeError && error.isTimeout)
    return hasTimedOut ? { state: 'FAILED', reason: error.code } : { state: 'RETRY', reason: 'TIMED_OUT' };
  if (error instanceof DecodeError) return { state: error.permanent ? 'FAILED' : 'RETRY', reason: error.code };
  if (error instanceof OriginalFaultError) return { state: 'RETRY', reason: error.fault };
  if (isNotFound(error)) return { state: 'RETRY', reason: 'ORIGINAL_MISSING' };
  if (isNoSpaceError(error)) return { state: 'POSTPONED', reason: 'NO_SPACE', afterMs: noSpaceRetryMs };
  if (error instanceof StoreError) return { state: 'POSTPONED', reason: 'STORAGE_UNREACHABLE' };
  if (isDatabaseUnavailable(error)) return { state: 'POSTPONED', reason: 'INTERNAL' };
  return { state: 'RETRY', reason: 'INTERNAL' };
};

/** Retries for up to `timeoutMs`, so that minutes of work are not lost when the database restarts. */
const retryWhileDatabaseUnavailable = async <Result>(
  timeoutMs: number,
  write: () => Promise<Result>,
): Promise<Result> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
};

/**
 * Returns the outcome if the local file still equals the upload, otherwise a retry, which fetches the file again. Compares all bytes if the outcome
 * reports a damaged or unsupported file, otherwise only the length.
 */
const verifyOriginal = async (outcome: Outcome, { findOriginalFault }: ItemContext): Promise<Outcome> => {
  if (outcome.state === 'RETRY' || outcome.state === 'POSTPONED') return outcome;
  const blamesFile = outcome.state === 'DONE' ? outcome.warnings.length > 0 : outcome.state !== 'SKIPPED';
  const reason = await findOriginalFault(blamesFile ? 'bytes' : 'length');
  return reason === undefined ? outcome : { state: 'RETRY', reason };
};
