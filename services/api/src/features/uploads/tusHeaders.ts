import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import { UploadFields } from '@hearth/contract/mediaItems.ts';
import { checksumAlgorithms, tusVersion } from '@hearth/contract/uploads.ts';
import { AppError, type FieldError } from '@hearth/core/log/errors.ts';
import { readClientTime } from '../../ingest/clientTime.ts';
import type { FileDescription } from '../../ingest/insertMediaItem.ts';

/** Sets the version header, and applies `X-HTTP-Method-Override`, as the tus protocol requires for every request. */
export const setTusHeaders: RequestHandler = (req, res, next) => {
  res.set('Tus-Resumable', tusVersion);
  const override = req.headers['x-http-method-override'];
  if (req.method === 'POST' && (override === 'PATCH' || override === 'DELETE')) req.method = override;
  next();
};

/**
 * Parses the headers of a request after checking the tus version.
 * @throws AppError TUS_VERSION_UNSUPPORTED or VALIDATION_FAILED
 */
export const readTusHeaders = <Schema extends z.ZodObject>(req: Request, schema: Schema): z.output<Schema> => {
  if (req.headers['tus-resumable'] !== tusVersion) {
    req.res?.set('Tus-Version', tusVersion);
    throw new AppError('TUS_VERSION_UNSUPPORTED');
  }
  const names = Object.keys(schema.shape);
  const parsed = schema.safeParse(Object.fromEntries(names.map((name) => [name, req.headers[name.toLowerCase()]])));
  if (parsed.success) return parsed.data;
  throw invalidHeaders(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
};

/** Error for invalid headers. Each path names a header, or a value within it. */
export const invalidHeaders = (errors: readonly FieldError[]): AppError =>
  new AppError('VALIDATION_FAILED', undefined, {
    errors: errors.map(({ path, message }) => ({ path: `headers.${path}`, message })),
  });

/**
 * Parses `Upload-Metadata`: comma-separated pairs of a name and an optional base64 value. Ignores unknown names.
 * @throws AppError VALIDATION_FAILED
 */
export const readUploadMetadata = (header: string): FileDescription => {
  const pairs = header.split(',').filter((pair) => pair.trim() !== '');
  const values = new Map<string, string>();
  const errors: FieldError[] = [];
  const addError = (name: string, message: string): void =>
    void errors.push({ path: `Upload-Metadata${name === '' ? '' : `.${name}`}`, message });
  for (const pair of pairs) {
    const [, name = '', encoded = ''] = /^ *([\x21-\x2b\x2d-\x7e]+)(?: +([A-Za-z0-9+/]*={0,2}))? *$/.exec(pair) ?? [];
    if (name === '') addError('', 'must be pairs of a name and a base64 value, separated by commas');
    else if (values.has(name)) addError(name, 'appears twice');
    else values.set(name, decode(encoded) ?? (addError(name, 'must be UTF-8 in base64'), ''));
  }
  const [creationTime, description] = [values.get('creationTime'), values.get('description')];
  const fields = UploadFields.safeParse({
    ...(creationTime !== undefined && { creationTime }),
    ...(description !== undefined && { description }),
  });
  for (const { path, message } of fields.error?.issues ?? []) addError(path.join('.'), message);
  if (errors.length > 0) throw invalidHeaders(errors);
  return {
    // Some clients send a full path. Its folders are private and not stored.
    filename: (values.get('filename') ?? '').split(/[/\\]/).at(-1) ?? '',
    description: fields.data?.description || undefined,
    creationTime: readClientTime(fields.data?.creationTime),
  };
};

const decode = (encoded: string): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};

/** Verifies the bytes of a request by its `Upload-Checksum`. */
export interface ChecksumTest {
  update(bytes: Buffer): void;
  /** Returns true if the checksum of all bytes matches. Call it once. */
  fits(): boolean;
}

/**
 * Parses `Upload-Checksum`: an algorithm, a space and a base64 checksum.
 * @throws AppError VALIDATION_FAILED
 */
export const readUploadChecksum = (header: string): ChecksumTest => {
  const [, name = '', encoded = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header) ?? [];
  const algorithm = checksumAlgorithms.find((each) => each === name);
  if (algorithm === undefined) throw createRejection(`must begin with one of ${checksumAlgorithms.join(', ')}`);
  const expected = Buffer.from(encoded, 'base64');
  const hash = createHash(algorithm);
  if (expected.length !== createHash(algorithm).digest().length)
    throw createRejection('has the wrong length for its algorithm');
  return {
    update: (bytes) => void hash.update(bytes),
    fits: () => hash.digest().equals(expected),
  };
};

const createRejection = (message: string): AppError => invalidHeaders([{ path: 'Upload-Checksum', message }]);
