import { AppError } from '@hearth/core/errors.ts';

/** Bytes of a part: what the S3 client takes, above the 5 MiB that S3 asks for, so that an upload holds two of them in memory. */
const minPartBytes = 8 * 2 ** 20;

/** How many parts a file may have, a tenth below what S3 takes. */
const maxParts = 9_000;

/** The size of the parts of a file: 8 MiB up to 70 GiB, and what it takes to keep their number down for larger ones. */
export const partBytesOf = (lengthBytes: number): number => {
  const wanted = Math.ceil(lengthBytes / maxParts);
  return Math.max(minPartBytes, Math.ceil(wanted / 2 ** 20) * 2 ** 20);
};

/** What is cut into pieces: `tail`, then what comes in, up to `leftBytes` in all. */
export interface PiecesOptions {
  readonly partBytes: number;
  readonly tail: Buffer;
  /** How many bytes there can be from the beginning of `tail` to the end of the file. */
  readonly leftBytes: number;
}

/**
 * Cuts what comes in into pieces of `partBytes`; the last one is what is left, and may be empty. A piece may be used until the one after the
 * next is asked for: there are two buffers that are filled in turn.
 * @throws AppError PAYLOAD_TOO_LARGE where more comes than there can be
 */
export async function* cutIntoPieces(
  source: AsyncIterable<Buffer>,
  { partBytes, tail, leftBytes }: PiecesOptions,
): AsyncGenerator<Buffer, void> {
  const size = Math.min(partBytes, leftBytes);
  // Not from Node's pool, and no memory before it is filled.
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
