import {
  ObjectNotFoundError,
  StoreError,
  StoreFullError,
  toStoreError,
  UnknownWriteError,
  WrongPartsError,
} from '../objectErrors.ts';

/** The object or upload of a request, for errors that name it. */
interface Subject {
  readonly key?: string;
  readonly writeId?: string;
}

/**
 * Awaits `work` and converts its error to one of `objectErrors.ts`, by default to a `StoreError` whose message starts
 * with `what`.
 */
export const convertS3Errors = async <T>(what: string, work: Promise<T>, subject: Subject = {}): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw toObjectError(what, error, subject);
  }
};

/** Returns the code of an error: of S3, such as `NoSuchKey`, or of the network, such as `ECONNRESET`. */
export const getS3Code = (error: unknown): string | undefined =>
  getTextProperty(error, 'code') ?? getTextProperty(error, 'Code');

const toObjectError = (what: string, error: unknown, { key, writeId }: Subject): Error => {
  const storeError = toStoreError(what, error);
  if (storeError === error) return storeError;
  const code = getS3Code(error) ?? '';
  const described = describe(error, code);
  if (code === 'NoSuchKey' && key !== undefined) return new ObjectNotFoundError(key, { cause: error });
  if (key !== undefined && writeId !== undefined) {
    if (code === 'NoSuchUpload') return new UnknownWriteError(key, writeId, { cause: error });
    if (wrongPartCodes.has(code)) return new WrongPartsError(key, described, { cause: error });
  }
  const Failure = isFull(error, code) ? StoreFullError : StoreError;
  return new Failure(`${what}: ${described}`, { cause: error });
};

/** Returns true if the store is full, by the codes of MinIO, Ceph and VersityGW, or by the HTTP status. */
const isFull = (error: unknown, code: string): boolean =>
  fullCodes.has(code) || (error as { statusCode?: unknown } | undefined)?.statusCode === 507;

const fullCodes = new Set([
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
  'StorageFull',
  'InsufficientStorage',
]);

/** S3's codes for parts that differ from the stored ones. */
const wrongPartCodes = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']);

/**
 * Returns the message of an error. Some errors of the client are not instances of `Error`. An AggregateError
 * for a host with several addresses has no message of its own.
 */
const describe = (error: unknown, code: string): string => {
  if (error instanceof AggregateError)
    return error.errors.map((each) => describe(each, getS3Code(each) ?? '')).join(', ');
  const message = getTextProperty(error, 'message') ?? getTextProperty(error, 'Message') ?? String(error);
  return message.includes(code) ? message : `${code}: ${message}`;
};

const getTextProperty = (error: unknown, name: string): string | undefined => {
  const value = (error as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
