import { DownloadError, createStatusError } from './downloadError.ts';
import { defaultLimits, startTimer, withResponse, type DownloadLimits, type DownloadRequest } from './withResponse.ts';

/** A small file to download into memory. */
export interface BytesDownload extends Pick<DownloadRequest, 'url' | 'isHostFixed'> {
  readonly maxBytes: number;
  readonly limits?: Partial<DownloadLimits>;
}

/**
 * Downloads a file into memory, in one attempt.
 * @throws DownloadError, with the status if it is not 200
 */
export const downloadBytes = async ({ url, isHostFixed = false, maxBytes, limits }: BytesDownload): Promise<Buffer> => {
  const allLimits = { ...defaultLimits, totalMs: 60_000, ...limits };
  const { host } = new URL(url);
  using whole = startTimer(
    allLimits.totalMs,
    () => `${host} took longer than ${allLimits.totalMs / 1_000} seconds: try again later`,
  );
  return withResponse({ url, isHostFixed, limits: allLimits, signal: whole.signal }, async (response, onBytes) => {
    if (response.statusCode !== 200) throw createStatusError(new URL(url), response.statusCode ?? 0);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      onBytes();
      bytes += chunk.length;
      if (bytes > maxBytes) throw new DownloadError(`${host} sent more than ${maxBytes} bytes: check the URL`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  });
};
