import type { Credentials } from './request.ts';

/** An existing installation, with its administrator. */
export interface KnownInstallation {
  /** URL from this machine, which may differ from the public one. */
  readonly url: string;
  readonly admin: Credentials;
}

/**
 * Reads the administrator's credentials from HEARTH_ADMIN_USERNAME and HEARTH_ADMIN_PASSWORD.
 * @throws Error if the password is missing
 */
export const readAdmin = (): Credentials => {
  const { HEARTH_ADMIN_USERNAME: username = 'admin', HEARTH_ADMIN_PASSWORD: password = '' } = process.env;
  if (password === '') throw new Error('HEARTH_ADMIN_PASSWORD is not set; set it to the password of the administrator');
  return { username, password };
};
