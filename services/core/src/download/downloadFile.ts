import type { IncomingMessage } from 'node:http';
import { open, rm, stat } from 'node:fs/promises';
import { DownloadError, createStatusError } from './downloadError.ts';
import { defaultLimits, startTimer, withResponse, type DownloadLimits, type DownloadRequest } from './withResponse.ts';

/** A file to download, whose length is known. */
export interface Download extends Pick<DownloadRequest, 'url' | 'isHostFixed'> {
  /** The file to write. Existing bytes are kept, and only the rest is requested. */
  readonly path: string;
  /** The exact length of the file. */
  readonly bytes: number;
  /** Called with the number of bytes on disk. */
  readonly onProgress?: (bytes: number) => void;
  readonly limits?: Partial<DownloadLimits>;
}

/** Fails after this many attempts in a row without progress. */
const maxAttemptsWithoutProgress = 2;

/**
 * Downloads a file, and resumes where a connection broke. The caller verifies the checksum.
 * @throws DownloadError if the server refuses or attempts make no progress; received bytes stay on disk
 */
export async function downloadFile(download: Download): Promise<void> {
  const { url, path, bytes } = download;
  const limits = { ...defaultLimits, ...download.limits };
  using whole = startTimer(
    limits.totalMs,
    () => `${new URL(url).host} took longer than ${limits.totalMs / 1_000} seconds: try again later`,
  );
  let validator: string | undefined;
  let maxSize = await getFileSize(path);
  for (let attemptsWithoutProgress = 0; ;) {
    const offset = await getFileSize(path);
    if (offset >= bytes) return;
    try {
      await withResponse(
        { ...download, limits, signal: whole.signal, headers: createRangeHeaders(offset, validator) },
        async (response, onBytes) => {
          const start = getResponseOffset(download, response, offset);
          validator = response.headers.etag ?? response.headers['last-modified'];
          await writeBody(download, response, start, onBytes);
        },
      );
    } catch (error) {
      if (whole.signal.aborted || (error instanceof DownloadError && error.isFinal)) throw error;
      // The file on the server is shorter than the local one, so the local bytes are of another file.
      if (error instanceof DownloadError && error.status === 416) await rm(path, { force: true });
      const size = await getFileSize(path);
      attemptsWithoutProgress = size > maxSize ? 0 : attemptsWithoutProgress + 1;
      maxSize = Math.max(maxSize, size);
      if (attemptsWithoutProgress >= maxAttemptsWithoutProgress) throw error;
    }
  }
}

/** Returns headers for the rest of a file, or for the whole one if it changed since the last attempt. */
const createRangeHeaders = (offset: number, validator: string | undefined): Record<string, string> => {
  if (offset === 0) return {};
  const isStrong = validator !== undefined && !validator.startsWith('W/');
  return { range: `bytes=${offset}-`, ...(isStrong && { 'if-range': validator }) };
};

/**
 * Returns the offset of the first byte of a response: `offset`, or 0 if the server sends the whole file.
 * @throws DownloadError if the response is not the file
 */
const getResponseOffset = (
  { url, bytes }: Download,
  { statusCode = 0, headers }: IncomingMessage,
  offset: number,
): number => {
  const place = new URL(url);
  // Another attempt from the beginning may succeed.
  if (statusCode === 416 && offset > 0)
    throw new DownloadError(`${place.host} cannot resume ${place.pathname}`, { status: 416 });
  if (statusCode !== 200 && statusCode !== 206) throw createStatusError(place, statusCode);
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '');
  if (statusCode === 206 && Number(range?.[1]) !== offset)
    throw new DownloadError(`${place.host} sent another range of ${place.pathname} than requested`);
  const length = statusCode === 206 ? range?.[2] : headers['content-length'];
  if (length !== undefined && length !== '*' && Number(length) !== bytes)
    throw new DownloadError(`${place.host} has ${place.pathname} with ${length} bytes instead of ${bytes}`, {
      isFinal: true,
    });
  return statusCode === 206 ? offset : 0;
};

const writeBody = async (
  { url, path, bytes, onProgress }: Download,
  response: IncomingMessage,
  start: number,
  onBytes: () => void,
): Promise<void> => {
  const { host } = new URL(url);
  await using file = await open(path, start > 0 ? 'a' : 'w');
  let written = start;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    onBytes();
    written += chunk.length;
    if (written > bytes) throw new DownloadError(`${host} sent more than ${bytes} bytes`, { isFinal: true });
    await file.appendFile(chunk);
    onProgress?.(written);
  }
  if (written < bytes) throw new DownloadError(`${host} closed the connection after ${written} of ${bytes} bytes`);
};

const getFileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
