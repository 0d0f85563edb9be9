import type { Credentials } from '@hearth/testkit/hearth/request.ts';

/** Ids, names and links that exist, for the cases to use. */
export interface Fixtures {
  /** The user of all uploads. No other case acts as this user, so that every uploaded item can be checked at the end. */
  readonly uploader: { readonly token: string };
  /** The user whose account and items any case may change and delete. */
  readonly victim: {
    readonly id: string;
    readonly username: string;
    readonly password: string;
    readonly token: string;
    readonly mediaItemIds: readonly string[];
    readonly albumIds: readonly string[];
    readonly shareIds: readonly string[];
    readonly jobIds: readonly string[];
    /** Uploads that are not finished. */
    readonly uploadIds: readonly string[];
    /** Links of files as paths. */
    readonly links: readonly string[];
  };
  readonly admin: Credentials;
  /** Whole photos of several kinds. */
  readonly photos: readonly Buffer[];
}
