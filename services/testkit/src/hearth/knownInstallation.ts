import type { Credentials } from './request.ts';

/** An installation that somebody runs, by what its users know of it. */
export interface KnownInstallation {
  /** Where it is reached from here, which need not be the address that people use. */
  readonly url: string;
  readonly admin: Credentials;
}

/** Reads the administrator of a running installation from two variables. @throws Error if the password is missing */
export const readAdmin = (): Credentials => {
  const { HEARTH_ADMIN_USERNAME: username = 'admin', HEARTH_ADMIN_PASSWORD: password = '' } = process.env;
  if (password === '') throw new Error('HEARTH_ADMIN_PASSWORD has to hold the password of the administrator');
  return { username, password };
};
