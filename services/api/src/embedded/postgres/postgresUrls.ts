import { createHmac } from 'node:crypto';
import { applicationRole } from './applicationRole.ts';
import { postgresUser } from './postgresDirectory.ts';

/** Connection URL for Hearth's processes: a role that owns the database and has no rights outside it. */
export const applicationUrl = (port: number, password: string, database = postgresUser): string =>
  buildUrl(applicationRole, applicationPassword(password), port, database);

/**
 * Connection URL of the superuser, for the few callers that need it. Never passed to a process that serves requests or
 * opens files.
 */
export const administratorUrl = (port: number, password: string, database = postgresUser): string =>
  buildUrl(postgresUser, password, port, database);

/**
 * Derives the application role's password from the superuser's by HMAC, so that only one secret is stored and the
 * derived one does not reveal it.
 */
export const applicationPassword = (password: string): string =>
  createHmac('sha256', password).update('hearth application role').digest('hex');

const buildUrl = (user: string, password: string, port: number, database: string): string =>
  `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
