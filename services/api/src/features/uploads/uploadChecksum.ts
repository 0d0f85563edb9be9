import { createHash } from 'node:crypto';
import { checksumAlgorithms } from '@hearth/contract/uploads.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/** Compares the bytes of a request with its `Upload-Checksum`. */
export interface ChecksumTest {
  update(bytes: Buffer): void;
  /** Whether all bytes together have the expected checksum; may be called once. */
  fits(): boolean;
}

/** Reads `Upload-Checksum`: an algorithm, a space, and a checksum in base64. @throws AppError VALIDATION_FAILED */
export const readUploadChecksum = (header: string): ChecksumTest => {
  const [, name = '', encoded = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header) ?? [];
  const algorithm = checksumAlgorithms.find((each) => each === name);
  if (algorithm === undefined) throw refusal(`must begin with one of ${checksumAlgorithms.join(', ')}`);
  const expected = Buffer.from(encoded, 'base64');
  const hash = createHash(algorithm);
  if (expected.length !== createHash(algorithm).digest().length) throw refusal('has not the length of its algorithm');
  return {
    update: (bytes) => void hash.update(bytes),
    fits: () => hash.digest().equals(expected),
  };
};

const refusal = (message: string): AppError =>
  new AppError('VALIDATION_FAILED', undefined, { errors: [{ path: 'headers.Upload-Checksum', message }] });
