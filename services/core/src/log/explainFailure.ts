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
    return `port ${port} is taken by another program: end that one, or set HEARTH_PORT or HEARTH_METRICS_PORT`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `${address} is no address of this machine: correct HEARTH_HOST`;
  if (syscall === 'listen' && code === 'EACCES')
    return `port ${port} needs more rights: set HEARTH_PORT to one above 1023`;
  if (code === 'ENOTDIR' || code === 'EEXIST') return path && `a folder is needed at ${path}: move the file there away`;
  if (path !== undefined && accessErrorCodes.has(code))
    return `the user that runs Hearth may not use ${path}: change its owner or rights, or set HEARTH_DATA_DIR`;
  if (/WRONGPASS|NOAUTH|NOPERM|invalid username-password pair/.test(message))
    return 'correct the user and the password in HEARTH_REDIS_URL';
  return adviceByCode[code];
};

const accessErrorCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

const correctDatabaseUrl = 'correct HEARTH_DATABASE_URL';
const correctS3Keys = 'correct HEARTH_S3_ACCESS_KEY and HEARTH_S3_SECRET_KEY';
const startServer = 'is the server running, and is its address right?';

/** By error code of Node, PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and S3. */
const adviceByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: startServer,
  EHOSTUNREACH: startServer,
  ETIMEDOUT: startServer,
  ENOTFOUND: 'no host has this name: is the address right?',
  EAI_AGAIN: 'the name of the host could not be looked up: is the network up, and is the address right?',
  ENOSPC: 'the disk is full: make space',
  EDQUOT: 'the quota of the disk is used up: make space',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  '28P01': `the database refuses this user or password: ${correctDatabaseUrl}`,
  '28000': `the database refuses this user: ${correctDatabaseUrl}`,
  '3D000': `create the database, or ${correctDatabaseUrl}`,
  '42501': 'give the user of HEARTH_DATABASE_URL the database: it has to be the owner',
  '53100': 'the disk of the database is full: make space',
  '53300': 'the database has no free connection: raise max_connections, or end other programs',
  InvalidAccessKeyId: correctS3Keys,
  SignatureDoesNotMatch: correctS3Keys,
  AccessDenied: 'give these keys the right to use the bucket, or correct HEARTH_S3_BUCKET and the keys',
  NoSuchBucket: 'create the bucket, or correct HEARTH_S3_BUCKET',
};
