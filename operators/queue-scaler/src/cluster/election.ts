import { setTimeout as delay } from 'node:timers/promises';
import { V1LeaseSpec, V1MicroTime, type V1Lease } from '@kubernetes/client-node';
import { isApiError } from './apiError.ts';
import type { Cluster } from './cluster.ts';

export interface ElectionOptions {
  readonly cluster: Pick<Cluster, 'findLease' | 'createLease' | 'updateLease'>;
  readonly leaseName: string;
  /** Unique to this process. */
  readonly identity: string;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Called after each attempt to acquire or renew the lease, successful or not. */
  readonly onAttempt: () => void;
}

/** Held while this process is the leader. */
export interface Leadership {
  /** Becomes false before another process can acquire the lease. */
  isLeading(): boolean;
  /** Resolves when the lease is lost, or could not be renewed for `renewDeadlineMs`. */
  readonly lost: Promise<void>;
  /** Releases the lease, so that another process need not wait until it expires. */
  release(): Promise<void>;
}

/** Lease duration, in seconds since the last renewal. */
const leaseDurationSeconds = 15;

/** Time without a successful renewal after which the leader gives up, in ms. */
const renewDeadlineMs = 10_000;

/** Interval of attempts to acquire or renew the lease, in ms. */
const retryPeriodMs = 2_000;

/**
 * Resolves when this process has acquired the lease, or with undefined if `signal` is aborted first. Wall clocks are
 * not compared: a lease counts as expired after this process has seen it unchanged for its whole duration.
 */
export const acquireLeadership = async (options: ElectionOptions): Promise<Leadership | undefined> => {
  const { signal, onError, onAttempt } = options;
  let seen: SeenLease = { lease: undefined, at: 0 };
  while (!signal.aborted) {
    try {
      const begin = performance.now();
      seen = await readLease(options, seen);
      if (signal.aborted) break;
      if (isFree(seen, options.identity)) return keepRenewing(options, await acquireLease(options, seen.lease), begin);
    } catch (error) {
      // 409: another process was faster.
      if (!isApiError(error, 409)) onError(error);
    } finally {
      onAttempt();
    }
    await sleep(retryPeriodMs, signal);
  }
  return undefined;
};

/** A lease, and the time when this process first saw it in this state. */
interface SeenLease {
  readonly lease: V1Lease | undefined;
  readonly at: number;
}

const readLease = async ({ cluster, leaseName }: ElectionOptions, seen: SeenLease): Promise<SeenLease> => {
  const lease = await cluster.findLease(leaseName);
  const isSame = lease !== undefined && lease.metadata?.resourceVersion === seen.lease?.metadata?.resourceVersion;
  return isSame ? seen : { lease, at: performance.now() };
};

const isFree = ({ lease, at }: SeenLease, identity: string): boolean => {
  const { holderIdentity = '', leaseDurationSeconds: seconds = leaseDurationSeconds } = lease?.spec ?? {};
  return holderIdentity === '' || holderIdentity === identity || performance.now() - at >= seconds * 1_000;
};

const acquireLease = async (
  { cluster, leaseName, identity }: ElectionOptions,
  lease: V1Lease | undefined,
): Promise<V1Lease> => {
  const spec: V1LeaseSpec = {
    holderIdentity: identity,
    leaseDurationSeconds,
    acquireTime: new V1MicroTime(),
    renewTime: new V1MicroTime(),
    leaseTransitions: lease === undefined ? 0 : (lease.spec?.leaseTransitions ?? 0) + 1,
  };
  return lease === undefined ? cluster.createLease(leaseName, spec) : cluster.updateLease(lease, spec);
};

/** Renews the lease until it is lost or released. `acquiredAt` is the time before the acquiring request. */
const keepRenewing = (options: ElectionOptions, acquired: V1Lease, acquiredAt: number): Leadership => {
  const { cluster, leaseName, identity, onError, onAttempt } = options;
  const ended = new AbortController();
  const lost = Promise.withResolvers<void>();
  let lease = acquired;
  let renewedAt = acquiredAt;
  let renewal = Promise.resolve();
  const isLeading = (): boolean => !ended.signal.aborted && performance.now() - renewedAt < renewDeadlineMs;

  const renew = async (): Promise<void> => {
    const begin = performance.now();
    try {
      lease = await cluster.updateLease(
        lease,
        Object.assign(new V1LeaseSpec(), lease.spec, { renewTime: new V1MicroTime() }),
      );
      renewedAt = begin;
    } catch (error) {
      onError(error);
      if (!isApiError(error, 404, 409)) return;
      // If the response to an earlier renewal was lost, this process still holds the lease.
      const now = await cluster.findLease(leaseName);
      if (now?.spec?.holderIdentity === identity) lease = now;
      else ended.abort();
    }
  };
  const renewUntilLost = async (): Promise<void> => {
    while (isLeading()) {
      await sleep(retryPeriodMs, ended.signal);
      if (!isLeading()) break;
      // A request without a response must not extend the leadership.
      renewal = renew().catch(onError);
      await Promise.race([renewal, sleep(renewedAt + renewDeadlineMs - performance.now(), ended.signal)]);
      onAttempt();
    }
    ended.abort();
    lost.resolve();
  };
  const renewing = renewUntilLost();

  return {
    isLeading,
    lost: lost.promise,
    release: async () => {
      const wasLeading = isLeading();
      ended.abort();
      await Promise.all([renewing, renewal]);
      if (!wasLeading) return;
      const { leaseTransitions = 0 } = lease.spec ?? {};
      await cluster.updateLease(lease, {
        holderIdentity: '',
        leaseDurationSeconds: 1,
        renewTime: new V1MicroTime(),
        leaseTransitions,
      });
    },
  };
};

const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
};
