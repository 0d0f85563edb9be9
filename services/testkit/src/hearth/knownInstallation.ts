import type { Credentials } from './request.ts';

/** An existing installation, with its administrator. */
export interface KnownInstallation {
  /** URL from this machine, which may differ from the public one. */
  readonly url: string;
  readonly admin: Credentials;
}

/** Reads the administrator of a running installation from two variables. @throws Error if the password is missing */
export const readAdmin = (): Credentials => {
  const { HEARTH_ADMIN_USERNAME: username = 'admin', HEARTH_ADMIN_PASSWORD: password = '' } = process.env;
  if (password === '') throw new Error('HEARTH_ADMIN_PASSWORD is not set; it is the password of the administrator');
  return { username, password };
};
