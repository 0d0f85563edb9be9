/**
 * Stages of a file. `missing`: known from an earlier visit; the browser needs access to the file again. `waiting`:
 * failed and will be retried automatically. The last five are final, except that the user can retry `failed`.
 */
export const stages = [
  'missing',
  'queued',
  'hashing',
  'hashed',
  'checking',
  'ready',
  'sending',
  'waiting',
  'done',
  'existing',
  'refused',
  'failed',
  'cancelled',
] as const;
export type Stage = (typeof stages)[number];

/** Reasons why a file was not uploaded. Their texts are in the message catalogue under `reason`. */
export const reasons = [
  'notMedia',
  'tooLarge',
  'empty',
  'unreadable',
  'damagedOnTheWay',
  'unreachable',
  'busy',
  'storageFull',
  'quotaExceeded',
  'signedOut',
  'server',
] as const;
export type Reason = (typeof reasons)[number];

/** Identity of a local file, as far as a page can read it. */
export interface FileIdentity {
  /** Relative path with `/`, starting with the dropped folder; only the name for a single file. */
  readonly path: string;
  readonly sizeBytes: number;
  /** In milliseconds since 1970. */
  readonly lastModified: number;
}

export interface UploadFile extends FileIdentity {
  readonly stage: Stage;
  /** SHA-256 in hexadecimal. */
  readonly checksum?: string | undefined;
  /** URL to resume the upload, once the server has created it. */
  readonly url?: string | undefined;
  readonly sentBytes: number;
  /** Number of failed attempts. */
  readonly attempts: number;
  readonly retryAtMs?: number | undefined;
  readonly reason?: Reason | undefined;
}

export type FileEvent =
  | { readonly kind: 'found' | 'hashBegan' | 'checkBegan' | 'sendBegan' | 'interrupted' | 'lost' }
  | { readonly kind: 'due' | 'sent' | 'existing' | 'absent' | 'retried' | 'cancelled' }
  | { readonly kind: 'hashed'; readonly checksum: string }
  | { readonly kind: 'changed'; readonly sizeBytes: number; readonly lastModified: number }
  | { readonly kind: 'progressed'; readonly sentBytes: number }
  | { readonly kind: 'begun'; readonly url: string }
  | { readonly kind: 'hindered'; readonly reason: Reason; readonly retryAtMs: number }
  | { readonly kind: 'refused' | 'failed'; readonly reason: Reason };

const finalStages: ReadonlySet<Stage> = new Set(['done', 'existing', 'refused', 'failed', 'cancelled']);

export const isSettled = ({ stage }: { readonly stage: Stage }): boolean => finalStages.has(stage);

/**
 * After this many failed attempts, a file stays failed until the user retries it. An attempt that finds the server
 * unreachable never fails the file.
 */
export const maxAttempts = 8;

/** Returns the file after an event. Late events, such as progress of a cancelled file, change nothing. */
export const nextUploadFile = (file: UploadFile, event: FileEvent): UploadFile => {
  const { stage } = file;
  if (isSettled(file)) return event.kind === 'retried' && stage === 'failed' ? requeue(file) : file;
  switch (event.kind) {
    case 'found':
      return stage === 'missing' ? requeue(file) : file;
    case 'hashBegan':
      return stage === 'queued' ? { ...file, stage: 'hashing' } : file;
    case 'hashed':
      return stage === 'hashing' ? { ...file, stage: 'hashed', checksum: event.checksum } : file;
    case 'changed':
      return applyChange(file, event);
    case 'checkBegan':
      return stage === 'hashed' ? { ...file, stage: 'checking' } : file;
    case 'absent':
      return stage === 'checking' ? { ...file, stage: 'ready' } : file;
    case 'existing':
      return stage === 'checking' ? { ...file, stage: 'existing', sentBytes: 0 } : file;
    case 'sendBegan':
      return stage === 'ready' ? { ...file, stage: 'sending' } : file;
    case 'begun':
      return stage === 'sending' ? { ...file, url: event.url } : file;
    case 'progressed':
      return stage === 'sending' ? { ...file, sentBytes: event.sentBytes } : file;
    case 'sent':
      return stage === 'sending' ? { ...file, stage: 'done', sentBytes: file.sizeBytes } : file;
    case 'interrupted':
      return isActive(stage) ? requeue(file) : file;
    case 'lost':
      return stage === 'sending' ? requeue({ ...file, url: undefined, sentBytes: 0 }) : file;
    case 'hindered':
      return isActive(stage) ? applyFailure(file, event) : file;
    case 'due':
      return stage === 'waiting' ? requeue(file) : file;
    case 'retried':
      return stage === 'waiting' ? requeue({ ...file, attempts: 0 }) : file;
    case 'refused':
    case 'failed':
      return { ...file, stage: event.kind, reason: event.reason };
    case 'cancelled':
      return { ...file, stage: 'cancelled' };
  }
};

const getContentIdentity = ({ sizeBytes, lastModified }: Omit<FileIdentity, 'path'>): Omit<FileIdentity, 'path'> => ({
  sizeBytes,
  lastModified,
});

const isActive = (stage: Stage): boolean => stage === 'hashing' || stage === 'checking' || stage === 'sending';

/**
 * Returns to the earliest stage that must be repeated. An upload that was started resumes at its URL. Otherwise, the
 * file is checked again first, because a lost response may have completed it.
 */
function requeue(file: UploadFile): UploadFile {
  const stage = file.checksum === undefined ? 'queued' : file.url === undefined ? 'hashed' : 'ready';
  const isRetriedByUser = file.stage === 'failed';
  return { ...file, stage, reason: undefined, retryAtMs: undefined, attempts: isRetriedByUser ? 0 : file.attempts };
}

/** Reads a modified file again, with limited attempts in case it is modified constantly. */
function applyChange(file: UploadFile, event: Omit<FileIdentity, 'path'>): UploadFile {
  const fresh = { ...file, ...getContentIdentity(event), checksum: undefined, url: undefined, sentBytes: 0 };
  const attempts = file.attempts + 1;
  return attempts < maxAttempts
    ? requeue({ ...fresh, attempts })
    : { ...fresh, stage: 'failed', reason: 'unreadable', attempts };
}

function applyFailure(file: UploadFile, event: { readonly reason: Reason; readonly retryAtMs: number }): UploadFile {
  const attempts = file.attempts + 1;
  const { reason, retryAtMs } = event;
  return attempts < maxAttempts || reason === 'unreachable'
    ? { ...file, stage: 'waiting', reason, retryAtMs, attempts }
    : { ...file, stage: 'failed', reason, retryAtMs: undefined, attempts };
}
