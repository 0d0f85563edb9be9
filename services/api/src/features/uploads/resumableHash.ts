import { setImmediate } from 'node:timers/promises';
import { createSHA256 } from 'hash-wasm';

/** Bytes hashed at once: about a millisecond during which the process does nothing else (200 MB/s, measured in 2026-11 with hash-wasm 4.13). */
const sliceBytes = 256 * 1024;

/**
 * A SHA-256 whose state can be stored and continued by another process, so that no byte of an upload is read twice. `node:crypto` cannot do
 * that; it is seven times faster.
 */
export interface ResumableHash {
  update(bytes: Buffer): Promise<void>;
  /** The state, for `resumeHash`. */
  state(): Buffer;
  /** The hash of all bytes, 32 bytes. Afterwards nothing can be added. */
  digest(): Buffer;
}

/** A new hash, or the one with this `state`; undefined where another version of the library wrote the state. */
export const resumeHash = async (state: Buffer | undefined): Promise<ResumableHash | undefined> => {
  const hash = await createSHA256();
  hash.init();
  try {
    if (state !== undefined) hash.load(state);
  } catch {
    return undefined;
  }
  return {
    update: async (bytes) => {
      for (let start = 0; start < bytes.length; start += sliceBytes) {
        hash.update(bytes.subarray(start, start + sliceBytes));
        await setImmediate();
      }
    },
    state: () => Buffer.from(hash.save()),
    digest: () => Buffer.from(hash.digest('binary')),
  };
};
