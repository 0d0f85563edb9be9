import { createHmac } from 'node:crypto';
import { applicationRole } from '../db/connection/applicationRole.ts';
import { postgresUser } from './postgresDirectory.ts';

/** Where Hearth's own processes reach the embedded server on `port`: as a role that owns the database and may do nothing outside of it. */
export const applicationUrl = (port: number, password: string, database = postgresUser): string =>
  urlOf(applicationRole, applicationPassword(password), port, database);

/** Where the server's superuser reaches it, for the few things that need one; never handed to what serves requests or opens files. */
export const administratorUrl = (port: number, password: string, database = postgresUser): string =>
  urlOf(postgresUser, password, port, database);

/** The application role's password follows from the superuser's, which does not follow from it: one secret is kept, and given away by none. */
export const applicationPassword = (password: string): string =>
  createHmac('sha256', password).update('hearth application role').digest('hex');

const urlOf = (user: string, password: string, port: number, database: string): string =>
  `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
