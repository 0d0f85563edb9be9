import { createHmac } from 'node:crypto';
import { applicationRole } from '@hearth/core/db/applicationRole.ts';
import { postgresUser } from './postgresDirectory.ts';

/** The address of the embedded server on `port` for Hearth's own processes: as a role that owns the database and has no rights outside of it. */
export const applicationUrl = (port: number, password: string, database = postgresUser): string =>
  urlOf(applicationRole, applicationPassword(password), port, database);

/** The address for the server's superuser, for the few things that need one. Never given to a process that serves requests or opens files. */
export const administratorUrl = (port: number, password: string, database = postgresUser): string =>
  urlOf(postgresUser, password, port, database);

/**
 * The password of the application role, derived from the superuser's by HMAC. So only one secret is kept, and the derived one does not
 * reveal it.
 */
export const applicationPassword = (password: string): string =>
  createHmac('sha256', password).update('hearth application role').digest('hex');

const urlOf = (user: string, password: string, port: number, database: string): string =>
  `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
