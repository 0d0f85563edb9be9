import { setTimeout as delay } from 'node:timers/promises';
import { V1LeaseSpec, V1MicroTime, type V1Lease } from '@kubernetes/client-node';
import { isApiError } from './apiError.ts';
import type { Cluster } from './cluster.ts';

/** Who is elected, by which lease. */
export interface ElectionOptions {
  readonly cluster: Pick<Cluster, 'findLease' | 'createLease' | 'updateLease'>;
  readonly leaseName: string;
  /** Unlike that of every other process. */
  readonly identity: string;
  readonly signal: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
  /** Called after each try to become or to stay the leader, whether or not it did. */
  readonly onTurn: () => void;
}

/** The time in which this process may write. */
export interface Leadership {
  /** False from the moment on at which another process may begin to think otherwise, with some time to spare. */
  isLeading(): boolean;
  /** Resolves when the lease was lost, or could not be renewed for `renewDeadlineMs`. */
  readonly lost: Promise<void>;
  /** Gives the lease back, so that another process need not wait for its end. */
  release(): Promise<void>;
}

/** Seconds after which a lease that nobody renewed is free. */
const leaseDurationSeconds = 15;

/** Milliseconds without a renewal after which the leader stops to be one. */
const renewDeadlineMs = 10_000;

/** Milliseconds between two tries, of the leader and of those who wait. */
const retryMs = 2_000;

/**
 * Resolves when this process is elected, or with undefined when `signal` was aborted before. Clocks of machines are never compared: a lease is
 * free when this process has seen it unchanged for as long as it lasts.
 */
export const standForElection = async (options: ElectionOptions): Promise<Leadership | undefined> => {
  const { signal, onTrouble, onTurn } = options;
  let seen: SeenLease = { lease: undefined, at: 0 };
  while (!signal.aborted) {
    try {
      const begin = performance.now();
      seen = await look(options, seen);
      if (signal.aborted) break;
      if (isFree(seen, options.identity)) return lead(options, await take(options, seen.lease), begin);
    } catch (error) {
      // Another one was faster.
      if (!isApiError(error, 409)) onTrouble(error);
    } finally {
      onTurn();
    }
    await sleep(retryMs, signal);
  }
  return undefined;
};

/** A lease as it was at `at` first. */
interface SeenLease {
  readonly lease: V1Lease | undefined;
  readonly at: number;
}

const look = async ({ cluster, leaseName }: ElectionOptions, seen: SeenLease): Promise<SeenLease> => {
  const lease = await cluster.findLease(leaseName);
  const isSame = lease !== undefined && lease.metadata?.resourceVersion === seen.lease?.metadata?.resourceVersion;
  return isSame ? seen : { lease, at: performance.now() };
};

const isFree = ({ lease, at }: SeenLease, identity: string): boolean => {
  const { holderIdentity = '', leaseDurationSeconds: seconds = leaseDurationSeconds } = lease?.spec ?? {};
  return holderIdentity === '' || holderIdentity === identity || performance.now() - at >= seconds * 1_000;
};

const take = async (
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

/** Renews the lease until it is lost or given back. `begin` is when the first request for it was begun. */
const lead = (options: ElectionOptions, taken: V1Lease, begin: number): Leadership => {
  const { cluster, leaseName, identity, onTrouble, onTurn } = options;
  const ended = new AbortController();
  const lost = Promise.withResolvers<void>();
  let lease = taken;
  let renewedAt = begin;
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
      onTrouble(error);
      if (!isApiError(error, 404, 409)) return;
      // It is ours still where the answer to an earlier renewal got lost.
      const now = await cluster.findLease(leaseName);
      if (now?.spec?.holderIdentity === identity) lease = now;
      else ended.abort();
    }
  };
  const renewUntilLost = async (): Promise<void> => {
    while (isLeading()) {
      await sleep(retryMs, ended.signal);
      if (!isLeading()) break;
      // An answer that does not come must not keep this process in office.
      renewal = renew().catch(onTrouble);
      await Promise.race([renewal, sleep(renewedAt + renewDeadlineMs - performance.now(), ended.signal)]);
      onTurn();
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
