import { AppError } from '@hearth/core/log/errors.ts';

/** Minimum part size, the S3 client's default (S3's minimum is 5 MiB). An upload holds two parts in memory. */
const minPartBytes = 8 * 2 ** 20;

/** Maximum number of parts, a tenth below S3's limit. */
const maxParts = 9_000;

/** Returns the part size of a file: 8 MiB up to 70 GiB, more for larger files to stay below `maxParts`. */
export const getPartBytes = (lengthBytes: number): number => {
  const wanted = Math.ceil(lengthBytes / maxParts);
  return Math.max(minPartBytes, Math.ceil(wanted / 2 ** 20) * 2 ** 20);
};

/** The stream to cut: first `tail`, then the arriving bytes, at most `leftBytes` in total. */
export interface SplitOptions {
  readonly partBytes: number;
  readonly tail: Buffer;
  /** Bytes from the start of `tail` to the end of the file. */
  readonly leftBytes: number;
}

/**
 * Cuts arriving bytes into pieces of `partBytes`. The last piece has the rest and may be empty. A piece is valid until
 * the caller requests the second piece after it, because two buffers alternate.
 * @throws AppError PAYLOAD_TOO_LARGE if more than `leftBytes` arrive
 */
export async function* splitIntoParts(
  source: AsyncIterable<Buffer>,
  { partBytes, tail, leftBytes }: SplitOptions,
): AsyncGenerator<Buffer, void> {
  const size = Math.min(partBytes, leftBytes);
  // Outside Node's buffer pool. The system allocates the memory only as it is filled.
  let filling: Buffer = Buffer.allocUnsafeSlow(size);
  let other: Buffer | undefined;
  let filled = tail.copy(filling);
  let left = leftBytes - tail.length;
  for await (const chunk of source) {
    if (chunk.length > left) throw new AppError('PAYLOAD_TOO_LARGE', `the upload has ${left} bytes left`);
    left -= chunk.length;
    for (let rest = chunk; rest.length > 0;) {
      const copied = rest.copy(filling, filled);
      filled += copied;
      rest = rest.subarray(copied);
      if (filled < filling.length) continue;
      yield filling;
      [filling, other] = [other ?? Buffer.allocUnsafeSlow(size), filling];
      filled = 0;
    }
  }
  yield filling.subarray(0, filled);
}
