/** An error of Node, PostgreSQL, S3 or our own code. */
interface Failure {
  readonly message?: string;
  readonly code?: string;
  readonly port?: number;
  readonly path?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly syscall?: string;
  readonly cause?: unknown;
}

/**
 * Explains a failure to the operator: the messages of the error and its causes, and advice for known errors. One line,
 * without a period.
 */
export const explainFailure = (error: unknown): string => {
  const chain = listCauses(error);
  const messages: string[] = [];
  for (const { message = '', code = '' } of chain) {
    const text = message === '' ? code : message;
    // A message often contains the message of its cause.
    if (text !== '' && !messages.some((known) => known.includes(text))) messages.push(text);
  }
  const advice = chain.map(advise).findLast((found) => found !== undefined);
  return [messages.join(': ') || String(error), ...(advice === undefined ? [] : [advice])].join('; ');
};

/** Returns the error and its causes, the outermost first. Follows only the first error of an AggregateError. */
const listCauses = (error: unknown): Failure[] => {
  const chain: Failure[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && chain.length < 20 && !chain.includes(next)) {
    chain.push(next);
    next = next instanceof AggregateError ? next.errors[0] : (next as Failure).cause;
  }
  return chain;
};

/** Returns advice for a known error, such as a port in use; undefined for others. */
const advise = (failure: Failure): string | undefined => {
  const { code = '', message = '', port, path, address, syscall } = failure;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `port ${port} is used by another program: stop it, or set HEARTH_PORT or HEARTH_METRICS_PORT`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `${address} is not an address of this machine: correct HEARTH_HOST`;
  if (syscall === 'listen' && code === 'EACCES') return `port ${port} needs root: set HEARTH_PORT to a port above 1023`;
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return path && `${path} is a file, but a folder is needed: move the file away`;
  if (path !== undefined && accessErrorCodes.has(code))
    return `permission denied for ${path}: change its owner or permissions, or set HEARTH_DATA_DIR`;
  if (/WRONGPASS|NOAUTH|NOPERM|invalid username-password pair/.test(message))
    return 'correct the user and the password in HEARTH_REDIS_URL';
  return adviceByCode[code];
};

const accessErrorCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

const correctDatabaseUrl = 'correct HEARTH_DATABASE_URL';
const correctS3Keys = 'correct HEARTH_S3_ACCESS_KEY and HEARTH_S3_SECRET_KEY';
const startServer = 'check that the server runs and that its address is right';

/** Advice by error code of Node, PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and S3. */
const adviceByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: startServer,
  EHOSTUNREACH: startServer,
  ETIMEDOUT: startServer,
  ENOTFOUND: 'unknown host name: check the address',
  EAI_AGAIN: 'DNS lookup failed: check the network and the address',
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: free some space',
  EMFILE: 'too many open files: raise the limit (ulimit -n)',
  '28P01': `the database refuses this user or password: ${correctDatabaseUrl}`,
  '28000': `the database refuses this user: ${correctDatabaseUrl}`,
  '3D000': `create the database, or ${correctDatabaseUrl}`,
  '42501': 'the user of HEARTH_DATABASE_URL must own the database',
  '53100': 'the disk of the database is full: free some space',
  '53300': 'the database has no free connections: raise max_connections, or stop other programs',
  InvalidAccessKeyId: correctS3Keys,
  SignatureDoesNotMatch: correctS3Keys,
  AccessDenied: 'allow these keys to use the bucket, or correct HEARTH_S3_BUCKET and the keys',
  NoSuchBucket: 'create the bucket, or correct HEARTH_S3_BUCKET',
};
