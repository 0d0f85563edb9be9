import { createCipheriv, createHash } from 'node:crypto';

/**
 * A file generated while it is read, from any offset, so that it needs no disk space: a photo followed by
 * incompressible bytes.
 */
export interface LargeFile {
  readonly sizeBytes: number;
  /** Yields the bytes from `from` on, in chunks of 1 MiB. */
  read(from?: number): Generator<Buffer>;
  /** Returns the SHA-256 in hex. */
  checksum(): string;
}

const chunkBytes = 2 ** 20;
const blockBytes = 16;

/** Generates the photo followed by the keystream of a cipher: reproducible, and faster than any disk. */
export const makeLargeFile = (photo: Buffer, sizeBytes: number): LargeFile => {
  const read = function* (from = 0): Generator<Buffer> {
    if (from < photo.length) yield photo.subarray(from, sizeBytes);
    yield* makeNoise(Math.max(0, from - photo.length), sizeBytes - photo.length);
  };
  return {
    sizeBytes,
    read,
    checksum: () => {
      const hash = createHash('sha256');
      for (const chunk of read()) hash.update(chunk);
      return hash.digest('hex');
    },
  };
};

/** Yields the bytes from `from` to `to`. The cipher's counter can start at any block. */
function* makeNoise(from: number, to: number): Generator<Buffer> {
  const counter = Buffer.alloc(blockBytes);
  counter.writeBigUInt64BE(BigInt(Math.floor(from / blockBytes)), 8);
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), counter);
  cipher.update(Buffer.alloc(from % blockBytes));
  const zeros = Buffer.alloc(chunkBytes);
  for (let left = to - from; left > 0; left -= zeros.length) {
    yield cipher.update(left < zeros.length ? zeros.subarray(0, left) : zeros);
  }
}
