import { AppError } from '@hearth/core/log/errors.ts';

/** Bytes of a part at least: the size that the S3 client uses, above S3's minimum of 5 MiB. An upload holds two parts in memory. */
const minPartBytes = 8 * 2 ** 20;

/** Parts of a file at most, a tenth below S3's limit. */
const maxParts = 9_000;

/** The size of a file's parts: 8 MiB up to 70 GiB, and more for larger files, to stay below `maxParts`. */
export const partBytesOf = (lengthBytes: number): number => {
  const wanted = Math.ceil(lengthBytes / maxParts);
  return Math.max(minPartBytes, Math.ceil(wanted / 2 ** 20) * 2 ** 20);
};

/** The bytes to cut into pieces: first `tail`, then those that arrive, `leftBytes` in all at most. */
export interface PiecesOptions {
  readonly partBytes: number;
  readonly tail: Buffer;
  /** Bytes from the beginning of `tail` to the end of the file. */
  readonly leftBytes: number;
}

/**
 * Cuts arriving bytes into pieces of `partBytes`; the last one has the rest, and may be empty. A piece is valid until the caller asks for
 * the piece after the next one, since two buffers are filled in turn.
 * @throws AppError PAYLOAD_TOO_LARGE where more bytes arrive than `leftBytes`
 */
export async function* cutIntoPieces(
  source: AsyncIterable<Buffer>,
  { partBytes, tail, leftBytes }: PiecesOptions,
): AsyncGenerator<Buffer, void> {
  const size = Math.min(partBytes, leftBytes);
  // Outside of Node's buffer pool; the system gives memory only as it is filled.
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
