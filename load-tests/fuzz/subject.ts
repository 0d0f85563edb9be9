import type { Credentials } from '../harness/request.ts';

/** What the cases are about: addresses, names and links that exist, of users whom a case may harm. */
export interface Subject {
  /** Whose uploads are all looked at in the end: no case but uploads acts as this user. */
  readonly uploader: { readonly token: string };
  /** Whose account and items may be changed and deleted by any case. */
  readonly victim: {
    readonly id: string;
    readonly username: string;
    readonly password: string;
    readonly token: string;
    readonly mediaItemIds: readonly string[];
    readonly albumIds: readonly string[];
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
