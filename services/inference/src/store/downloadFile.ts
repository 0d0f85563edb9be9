import { open, rm, stat } from 'node:fs/promises';

/** A file that is fetched. */
export interface Download {
  readonly url: string;
  /** The file that is written, or gone on with: what it holds already is not fetched again. */
  readonly path: string;
  /** The length of the file; an answer that is longer is refused, so that no server can fill the disk. */
  readonly mostBytes: number;
  readonly onProgress: (bytes: number) => void;
  /** Milliseconds without a byte after which the connection counts as broken. */
  readonly stallMs?: number;
}

/** Attempts in a row that brought nothing, after which no other is made. */
const maxFutile = 2;

/** The server has answered that it does not have the file, or does not give it: asking again is of no use. */
class RefusedError extends Error {}

/**
 * Fetches a file, going on where a connection broke. Whether it is the right one is for the caller to verify.
 * @throws Error when the server refuses, or when attempts bring nothing; what was fetched stays
 */
export async function downloadFile(download: Download): Promise<void> {
  const { path, mostBytes } = download;
  for (let futile = 0; ;) {
    const before = await sizeOf(path);
    if (before >= mostBytes) return;
    try {
      await goOn(download, before);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      futile = (await sizeOf(path)) > before ? 0 : futile + 1;
      if (futile >= maxFutile) throw error;
    }
  }
}

/** One connection, from byte `offset` to the end. */
async function goOn(download: Download, offset: number): Promise<void> {
  const { url, path, mostBytes, onProgress, stallMs = 30_000 } = download;
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(new Error(`nothing came for ${stallMs / 1000} seconds`)), stallMs);
  try {
    const answer = await fetch(url, {
      // The ranges of a compressed answer are other ones.
      headers: { 'accept-encoding': 'identity', ...(offset > 0 && { range: `bytes=${offset}-` }) },
      signal: stall.signal,
    });
    const begin = beginOf(answer, offset);
    if (begin === undefined) {
      await answer.body?.cancel();
      if (answer.status < 400 || answer.status >= 500) throw new Error(`the server answers ${answer.status}`);
      // A file that the server calls shorter than what is here is another one.
      if (answer.status === 416) return await rm(path);
      throw new RefusedError(`the server answers ${answer.status}`);
    }
    await using file = await open(path, begin > 0 ? 'a' : 'w');
    let bytes = begin;
    for await (const chunk of answer.body ?? []) {
      timer.refresh();
      bytes += chunk.length;
      if (bytes > mostBytes) throw new RefusedError(`it is longer than ${mostBytes} bytes`);
      await file.write(chunk);
      onProgress(bytes);
    }
    if (bytes < mostBytes) throw new Error(`it ended after ${bytes} of ${mostBytes} bytes`);
  } finally {
    clearTimeout(timer);
  }
}

/** The byte at which an answer begins; undefined where it is none. A server may ignore that only the rest was asked for. */
const beginOf = ({ status, headers }: Response, offset: number): number | undefined => {
  if (status === 200) return 0;
  return status === 206 && headers.get('content-range')?.startsWith(`bytes ${offset}-`) ? offset : undefined;
};

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
