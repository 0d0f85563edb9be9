/** A key, or an id for a key, that is not valid: a mistake of the caller, never worth a retry. */
export class InvalidKeyError extends Error {
  constructor(text: string, expected: string) {
    const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
    super(`invalid object key: expected ${expected}, found ${JSON.stringify(shown)}`);
    this.name = 'InvalidKeyError';
  }
}

/** There is no object under this key. */
export class ObjectNotFoundError extends Error {
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`object ${key} not found`, options);
    this.name = 'ObjectNotFoundError';
    this.key = key;
  }
}

/** There is no write in parts with this id under this key: it was finished, abandoned, removed as too old, or never begun. */
export class UnknownWriteError extends Error {
  readonly key: string;
  readonly writeId: string;

  constructor(key: string, writeId: string, options?: ErrorOptions) {
    super(`no unfinished write ${JSON.stringify(writeId)} of object ${key}`, options);
    this.name = 'UnknownWriteError';
    this.key = key;
    this.writeId = writeId;
  }
}

/** A write in parts was to be finished with other parts than those that are stored; never worth a retry. */
export class WrongPartsError extends Error {
  constructor(key: string, what: string, options?: ErrorOptions) {
    super(`object ${key} cannot be made of its parts: ${what}`, options);
    this.name = 'WrongPartsError';
  }
}

/**
 * The store itself failed: disk full, permission missing, connection lost. The message says what was tried and why it failed. It may hold
 * file paths, so it belongs into logs and not into answers. Worth a retry.
 */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
  }
}

/** The store takes no more bytes: it is full, or its owner's limit is reached. Removing something helps. */
export class StoreFullError extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFullError';
  }
}

/** Whether `error`, or an error that has caused it, says that a disk or this user's share of it is full. */
export const isNoSpace = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof StoreFullError || ('code' in error && noSpaceCodes.has(error.code)) || isNoSpace(error.cause));

const noSpaceCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Returns true if a disk reported that it cannot read the bytes of a file back, such as from a bad sector. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EIO') || isUnreadable(error.cause));

/** Returns true if the operating system does not let this user make or use a folder. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && refusalCodes.has(error.code)) || isRefused(error.cause));

const refusalCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']);

/** Whether `error` says that the object does not exist: a retry will not help. */
export const isNotFound = (error: unknown): error is ObjectNotFoundError => error instanceof ObjectNotFoundError;

/** `error` as a `StoreError` whose message begins with `what`, the thing that was tried. An error of this file stays as it is. */
export const toStoreError = (what: string, error: unknown): Error => {
  if (error instanceof StoreError || error instanceof UnknownWriteError) return error;
  if (error instanceof WrongPartsError || isNotFound(error)) return error;
  const Failure = isNoSpace(error) ? StoreFullError : StoreError;
  return new Failure(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
};

/** Answers what `work` answers; turns its error into a `StoreError` by `toStoreError`. */
export const attempt = async <T>(what: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw toStoreError(what, error);
  }
};

/** True for a system error with one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
