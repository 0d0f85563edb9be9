import { DetailedError, Upload } from 'tus-js-client';
import { getFreshToken } from '../../../lib/api/session.ts';
import { openFile } from '../files/fileSource.ts';
import { afterFailure, afterRate, getMaxConcurrent, startConcurrency, retryDelayMs } from '../plan/pace.ts';
import { isSettled, type Reason, type UploadFile } from '../plan/uploadFile.ts';
import { listFilesAt } from '../plan/uploadPlan.ts';
import { toOutcome, type SendOutcome } from './sendOutcome.ts';
import type { Step, UploadContext } from './work.ts';

/** Interval of throughput measurements, in ms. Each may add one parallel upload. */
const rateWindowMs = 3000;

interface Sending extends Step {
  /** Aborts all requests. */
  readonly interrupt: () => void;
  /** Aborts the requests of files that have been settled meanwhile, for example cancelled. */
  readonly interruptSettled: () => void;
}

/** Sends files in parallel and adapts their number to the throughput. */
export const startSending = (work: UploadContext): Sending => {
  const running = new Map<number, AbortController>();
  let concurrency = startConcurrency(getMaxConcurrent(getPageProtocol()));
  const window = { sentBytes: 0, beganAtMs: performance.now(), wasFull: true };

  const watchRate = (): void => {
    window.wasFull &&= running.size >= concurrency.limit;
    const elapsedMs = performance.now() - window.beganAtMs;
    if (elapsedMs < rateWindowMs) return;
    concurrency = afterRate(concurrency, (window.sentBytes / elapsedMs) * 1000, window.wasFull);
    Object.assign(window, { sentBytes: 0, beganAtMs: performance.now(), wasFull: true });
  };

  const apply = (id: number, outcome: SendOutcome): void => {
    if (outcome.kind === 'held' || outcome.kind === 'hindered') concurrency = afterFailure(concurrency);
    switch (outcome.kind) {
      case 'sent':
        work.succeeded();
        return work.applyEvents([id, { kind: 'sent' }]);
      case 'lost':
        // A 404 response to a new upload is unexpected. Retries later.
        return work.file(id).url === undefined ? delayUpload(id, 'server') : work.applyEvents([id, { kind: 'lost' }]);
      case 'interrupted':
        return work.applyEvents([id, { kind: 'interrupted' }]);
      case 'refused':
        return work.applyEvents([id, { kind: 'refused', reason: outcome.reason }]);
      case 'halted':
        work.halt(outcome.reason);
        return work.applyEvents([id, { kind: 'interrupted' }]);
      case 'held':
        work.hold(outcome.reason, outcome.retryAfterSeconds);
        return outcome.reason === 'unreachable'
          ? delayUpload(id, outcome.reason)
          : work.applyEvents([id, { kind: 'interrupted' }]);
      case 'hindered':
        return delayUpload(id, outcome.reason);
    }
  };

  const delayUpload = (id: number, reason: Reason): void => {
    const delayMs = retryDelayMs(work.file(id).attempts, undefined, Math.random());
    work.applyEvents([id, { kind: 'hindered', reason, retryAtMs: Date.now() + delayMs }]);
  };

  const send = async (id: number, signal: AbortSignal): Promise<void> => {
    const planned = work.file(id);
    const source = work.source(id);
    const file = source === undefined ? undefined : await openFile(source).catch(() => undefined);
    if (file === undefined) return work.applyEvents([id, { kind: 'failed', reason: 'unreadable' }]);
    if (file.size !== planned.sizeBytes || file.lastModified !== planned.lastModified) {
      return work.applyEvents([id, { kind: 'changed', sizeBytes: file.size, lastModified: file.lastModified }]);
    }
    let lastBytes: number | undefined;
    const listener = {
      onBegun: (url: string) => work.applyEvents([id, { kind: 'begun', url }]),
      onProgress: (sentBytes: number) => {
        // The first event reports the bytes that the server already had.
        window.sentBytes += lastBytes === undefined ? 0 : Math.max(0, sentBytes - lastBytes);
        lastBytes = sentBytes;
        work.applyEvents([id, { kind: 'progressed', sentBytes }]);
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
      if (!work.canRequest() || running.size >= concurrency.limit) return;
      const ids = listFilesAt(work.plan(), 'ready', concurrency.limit - running.size);
      const begun = ids.map((id) => [id, new AbortController()] as const);
      for (const [id, controller] of begun) running.set(id, controller);
      if (ids.length > 0) work.applyEvents(...ids.map((id) => [id, { kind: 'sendBegan' }] as const));
      for (const [id, controller] of begun) {
        void send(id, controller.signal).finally(() => {
          running.delete(id);
          work.applyEvents();
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

/** Returns the protocol of the page, such as `h2` or `http/1.1`; empty or undefined if the browser hides it. */
function getPageProtocol(): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.nextHopProtocol;
}

/**
 * Bytes in the request that creates an upload. Small files need no second request, and unsupported files are refused
 * early. If the connection breaks, only these bytes are lost: the server keeps the received part of later requests.
 */
const firstBytes = 256 * 1024;

/** Bytes per later request. Proxies often limit requests to 100 MB. */
const maxRequestBytes = 64 * 1024 * 1024;

interface SendListener {
  /** Receives the URL for resuming, once the server has created the upload. */
  readonly onBegun: (url: string) => void;
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Sends the bytes that the server does not have yet, until `signal` is aborted. Never retries: the plan schedules
 * retries for all files.
 */
const sendFile = async (
  { path, url, checksum, sizeBytes, lastModified }: UploadFile,
  file: File,
  { onBegun, onProgress }: SendListener,
  signal: AbortSignal,
): Promise<SendOutcome> => {
  const { promise, resolve } = Promise.withResolvers<SendOutcome>();
  const isWhole = sizeBytes <= firstBytes;
  let token: string | undefined;
  let refusedToken: string | undefined;
  const upload = new Upload(file, {
    // With both `endpoint` and `uploadUrl`, tus-js-client would restart a missing upload, even after the session has
    // ended.
    ...(url === undefined ? { endpoint: '/v1/uploads', uploadDataDuringCreation: true } : { uploadUrl: url }),
    metadata: {
      filename: path.slice(path.lastIndexOf('/') + 1),
      ...(lastModified > 0 && { creationTime: localTimestamp(lastModified) }),
    },
    chunkSize: url === undefined ? firstBytes : maxRequestBytes,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onBeforeRequest: async (request) => {
      token = await getFreshToken(refusedToken);
      // tus-js-client would still send a request that was aborted during this callback.
      if (signal.aborted) throw new DOMException('The upload was interrupted.', 'AbortError');
      request.setHeader('Authorization', `Bearer ${token}`);
      // The server discards an interrupted request that has a checksum. Only the creating request has one, because the
      // server discards that request anyway if it is interrupted.
      if (request.getMethod() === 'POST' && isWhole && checksum !== undefined) {
        request.setHeader('Upload-Checksum', `sha256 ${hexToBase64(checksum)}`);
      }
    },
    onUploadUrlAvailable: () => {
      upload.options.chunkSize = maxRequestBytes;
      if (upload.url === null || upload.url === url) return;
      // Relative, because the server's public address may differ from that of the page.
      upload.url = new URL(upload.url, location.href).pathname;
      onBegun(upload.url);
    },
    onProgress,
    onSuccess: () => resolve({ kind: 'sent' }),
    onError: (error) => {
      const status = error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
      // Retries once with a new access token.
      if (status === 401 && refusedToken === undefined && !signal.aborted) {
        refusedToken = token;
        if (upload.url !== null) upload.options.endpoint = null;
        upload.start();
      } else resolve(toOutcome(error));
    },
  });
  const handleAbort = (): void => {
    resolve({ kind: 'interrupted' });
    void upload.abort();
  };
  if (signal.aborted) return { kind: 'interrupted' };
  signal.addEventListener('abort', handleAbort);
  upload.start();
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', handleAbort);
  }
};

/** Formats a local time with the UTC offset of this device, so that the photo is shown on its local day. */
export const localTimestamp = (atMs: number): string => {
  const offsetMinutes = -new Date(atMs).getTimezoneOffset();
  const local = new Date(atMs + offsetMinutes * 60_000).toISOString().slice(0, 19);
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${padTwo(offsetMinutes / 60)}:${padTwo(offsetMinutes % 60)}`;
};

const hexToBase64 = (digits: string): string =>
  btoa(String.fromCharCode(...(digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

const padTwo = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
