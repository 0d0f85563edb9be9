import { openFile } from '../files/fileSource.ts';
import { afterHindrance, afterRate, mostConcurrent, startConcurrency } from '../plan/concurrency.ts';
import { retryDelayMs } from '../plan/retryDelay.ts';
import { isSettled, type Reason } from '../plan/uploadFile.ts';
import { filesAt } from '../plan/uploadPlan.ts';
import { sendFile } from './sendFile.ts';
import type { SendOutcome } from './sendOutcome.ts';
import type { Step, Work } from './work.ts';

/** How long the connection is watched before one more upload at once is tried. */
const rateWindowMs = 3000;

/** `interrupt` breaks everything off that is being sent; `interruptSettled` what was cancelled. */
interface Sending extends Step {
  readonly interrupt: () => void;
  readonly interruptSettled: () => void;
}

/** Sends files, as many at once as brings the most. */
export const startSending = (work: Work): Sending => {
  const running = new Map<number, AbortController>();
  let concurrency = startConcurrency(mostConcurrent(protocolOfPage()));
  const window = { sentBytes: 0, beganAtMs: performance.now(), wasFull: true };

  const watchRate = (): void => {
    window.wasFull &&= running.size >= concurrency.limit;
    const elapsedMs = performance.now() - window.beganAtMs;
    if (elapsedMs < rateWindowMs) return;
    concurrency = afterRate(concurrency, (window.sentBytes / elapsedMs) * 1000, window.wasFull);
    Object.assign(window, { sentBytes: 0, beganAtMs: performance.now(), wasFull: true });
  };

  const apply = (id: number, outcome: SendOutcome): void => {
    if (outcome.kind === 'held' || outcome.kind === 'hindered') concurrency = afterHindrance(concurrency);
    switch (outcome.kind) {
      case 'sent':
        work.succeeded();
        return work.tell([id, { kind: 'sent' }]);
      case 'lost':
        // Lost before it began: the server's answer makes no sense, and neither would trying again at once.
        return work.file(id).url === undefined ? hinder(id, 'server') : work.tell([id, { kind: 'lost' }]);
      case 'interrupted':
        return work.tell([id, { kind: 'interrupted' }]);
      case 'refused':
        return work.tell([id, { kind: 'refused', reason: outcome.reason }]);
      case 'halted':
        work.halt(outcome.reason);
        return work.tell([id, { kind: 'interrupted' }]);
      case 'held':
        work.hold(outcome.reason, outcome.retryAfterSeconds);
        return outcome.reason === 'unreachable' ? hinder(id, outcome.reason) : work.tell([id, { kind: 'interrupted' }]);
      case 'hindered':
        return hinder(id, outcome.reason);
    }
  };

  const hinder = (id: number, reason: Reason): void => {
    const delayMs = retryDelayMs(work.file(id).attempts, undefined, Math.random());
    work.tell([id, { kind: 'hindered', reason, retryAtMs: Date.now() + delayMs }]);
  };

  const send = async (id: number, signal: AbortSignal): Promise<void> => {
    const planned = work.file(id);
    const source = work.source(id);
    const file = source === undefined ? undefined : await openFile(source).catch(() => undefined);
    if (file === undefined) return work.tell([id, { kind: 'failed', reason: 'unreadable' }]);
    if (file.size !== planned.sizeBytes || file.lastModified !== planned.lastModified) {
      return work.tell([id, { kind: 'changed', sizeBytes: file.size, lastModified: file.lastModified }]);
    }
    let lastBytes: number | undefined;
    const listener = {
      onBegun: (url: string) => work.tell([id, { kind: 'begun', url }]),
      onProgress: (sentBytes: number) => {
        // What the server has from before is told first.
        window.sentBytes += lastBytes === undefined ? 0 : Math.max(0, sentBytes - lastBytes);
        lastBytes = sentBytes;
        work.tell([id, { kind: 'progressed', sentBytes }]);
      },
    };
    apply(id, await sendFile(planned, file, listener, signal));
  };

  const interrupt = (): void => {
    for (const controller of running.values()) controller.abort();
  };

  return {
    pump: () => {
      watchRate();
      if (!work.mayAsk() || running.size >= concurrency.limit) return;
      const ids = filesAt(work.plan(), 'ready', concurrency.limit - running.size);
      const begun = ids.map((id) => [id, new AbortController()] as const);
      for (const [id, controller] of begun) running.set(id, controller);
      if (ids.length > 0) work.tell(...ids.map((id) => [id, { kind: 'sendBegan' }] as const));
      for (const [id, controller] of begun) {
        void send(id, controller.signal).finally(() => {
          running.delete(id);
          work.tell();
        });
      }
    },
    interrupt,
    interruptSettled: () => {
      for (const [id, controller] of running) if (isSettled(work.file(id))) controller.abort();
    },
    stop: interrupt,
  };
};

/** `h2`, `http/1.1` and the like; empty where the browser does not say. */
function protocolOfPage(): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.nextHopProtocol;
}
