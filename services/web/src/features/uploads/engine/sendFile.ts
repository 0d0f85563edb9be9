import { DetailedError, Upload } from 'tus-js-client';
import { freshToken } from '../../../lib/api/session.ts';
import type { UploadFile } from '../plan/uploadFile.ts';
import { outcomeOfError, type SendOutcome } from './sendOutcome.ts';

/**
 * How much goes with the request that begins an upload. A small file needs no second request, what is no photo is refused before more of it was
 * sent, and this is all that a cut connection can lose, since only what follows is kept piece by piece.
 */
export const firstBytes = 256 * 1024;

/** How much one further request brings; proxies in front of Hearth often refuse more than 100 MB. */
const requestBytes = 64 * 1024 * 1024;

/** What is told while a file is being sent. */
export interface SendListener {
  /** The address at which the upload is gone on with, as soon as there is one. */
  readonly onBegun: (url: string) => void;
  /** How many bytes of the file have left this device. */
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Sends what the server does not have of the file yet, until `signal` is aborted. Tries nothing twice: that is decided by the plan, with an eye
 * on all files.
 */
export const sendFile = async (
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
    // With both, an upload that is asked for in vain would begin anew by itself, also when the session has ended.
    ...(url === undefined ? { endpoint: '/v1/uploads', uploadDataDuringCreation: true } : { uploadUrl: url }),
    metadata: {
      filename: path.slice(path.lastIndexOf('/') + 1),
      ...(lastModified > 0 && { creationTime: localTimestamp(lastModified) }),
    },
    chunkSize: url === undefined ? firstBytes : requestBytes,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onBeforeRequest: async (request) => {
      token = await freshToken(refusedToken);
      // A request that was given up before it was sent would be sent all the same.
      if (signal.aborted) throw new DOMException('The upload was interrupted.', 'AbortError');
      request.setHeader('Authorization', `Bearer ${token}`);
      // The server keeps nothing of a request with a checksum that was cut, so only the one that it would not keep anyway has one.
      if (request.getMethod() === 'POST' && isWhole && checksum !== undefined) {
        request.setHeader('Upload-Checksum', `sha256 ${base64OfHex(checksum)}`);
      }
    },
    onUploadUrlAvailable: () => {
      upload.options.chunkSize = requestBytes;
      if (upload.url === null || upload.url === url) return;
      // Also where the server has a public address and this page was opened by another.
      upload.url = new URL(upload.url, location.href).pathname;
      onBegun(upload.url);
    },
    onProgress,
    onSuccess: () => resolve({ kind: 'sent' }),
    onError: (error) => {
      const status = error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
      if (status === 401 && refusedToken === undefined && !signal.aborted) {
        refusedToken = token;
        if (upload.url !== null) upload.options.endpoint = null;
        upload.start();
      } else resolve(outcomeOfError(error));
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

/** The time on this device's clock with its offset: the photo lies beside those that were taken on the same day here. */
export const localTimestamp = (atMs: number): string => {
  const offsetMinutes = -new Date(atMs).getTimezoneOffset();
  const local = new Date(atMs + offsetMinutes * 60_000).toISOString().slice(0, 19);
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(offsetMinutes / 60)}:${two(offsetMinutes % 60)}`;
};

const base64OfHex = (digits: string): string =>
  btoa(String.fromCharCode(...(digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
