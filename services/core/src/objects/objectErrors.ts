/** A key, or an id for a key, is invalid: an error of the caller that a retry cannot fix. */
export class InvalidKeyError extends Error {
  constructor(text: string, expected: string) {
    const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
    super(`invalid object key: expected ${expected}, found ${JSON.stringify(shown)}`);
    this.name = 'InvalidKeyError';
  }
}

/** No object has this key. */
export class ObjectNotFoundError extends Error {
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`object ${key} not found`, options);
    this.name = 'ObjectNotFoundError';
    this.key = key;
  }
}

/** No write in parts has this id and key: it was finished, abandoned, removed as too old, or never started. */
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

/** The parts passed to finish a write differ from the stored ones. A retry cannot help. */
export class WrongPartsError extends Error {
  constructor(key: string, what: string, options?: ErrorOptions) {
    super(`cannot assemble object ${key}: ${what}`, options);
    this.name = 'WrongPartsError';
  }
}

/**
 * The store failed: disk full, permission missing, connection lost. A retry may help. The message names the operation
 * and the reason. It may contain file paths, so log it, but do not send it to clients.
 */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
  }
}

/** The store is full, or the quota of its user is used up. Deleting something helps. */
export class StoreFullError extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFullError';
  }
}

/** Returns true if the error or one of its causes is a full disk or an exceeded quota. */
export const isNoSpace = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof StoreFullError || ('code' in error && noSpaceCodes.has(error.code)) || isNoSpace(error.cause));

const noSpaceCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Returns true if a disk failed to read a file, for example because of a bad sector. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EIO') || isUnreadable(error.cause));

/** Returns true if this user may not create or use a folder. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && accessDeniedCodes.has(error.code)) || isAccessDenied(error.cause));

const accessDeniedCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']);

/** Returns true if the object does not exist. A retry cannot help. */
export const isNotFound = (error: unknown): error is ObjectNotFoundError => error instanceof ObjectNotFoundError;

/**
 * Converts an error to a `StoreError` whose message starts with `what`, the failed operation. Returns a `StoreError`,
 * `UnknownWriteError`, `WrongPartsError` or `ObjectNotFoundError` unchanged.
 */
export const toStoreError = (what: string, error: unknown): Error => {
  if (error instanceof StoreError || error instanceof UnknownWriteError) return error;
  if (error instanceof WrongPartsError || isNotFound(error)) return error;
  const Failure = isNoSpace(error) ? StoreFullError : StoreError;
  return new Failure(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
};

/** Awaits `work` and converts its error by `toStoreError`. */
export const convertStoreErrors = async <T>(what: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw toStoreError(what, error);
  }
};

/** Returns true for a system error with one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
