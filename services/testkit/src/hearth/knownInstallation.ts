import type { Credentials } from './request.ts';

/** An installation that somebody runs, by what its users know of it. */
export interface KnownInstallation {
  /** Where it is reached from here, which need not be the address that people use. */
  readonly url: string;
  readonly admin: Credentials;
}
