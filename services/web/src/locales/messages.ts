/* oxlint-disable typescript/consistent-type-imports -- each file of words has one line here */

/** Message file with the keys of the English one. Fails to compile if German lacks a key. */
type Words<English, _German extends English> = English;

/** Message files by namespace. */
export interface Messages {
  readonly admin: Words<typeof import('./en/admin.json'), typeof import('./de/admin.json')>;
  readonly albums: Words<typeof import('./en/albums.json'), typeof import('./de/albums.json')>;
  readonly collections: Words<typeof import('./en/collections.json'), typeof import('./de/collections.json')>;
  readonly common: Words<typeof import('./en/common.json'), typeof import('./de/common.json')>;
  readonly duplicates: Words<typeof import('./en/duplicates.json'), typeof import('./de/duplicates.json')>;
  readonly explore: Words<typeof import('./en/explore.json'), typeof import('./de/explore.json')>;
  readonly library: Words<typeof import('./en/library.json'), typeof import('./de/library.json')>;
  readonly search: Words<typeof import('./en/search.json'), typeof import('./de/search.json')>;
  readonly session: Words<typeof import('./en/session.json'), typeof import('./de/session.json')>;
  readonly settings: Words<typeof import('./en/settings.json'), typeof import('./de/settings.json')>;
  readonly sharing: Words<typeof import('./en/sharing.json'), typeof import('./de/sharing.json')>;
  readonly uploads: Words<typeof import('./en/uploads.json'), typeof import('./de/uploads.json')>;
  readonly viewer: Words<typeof import('./en/viewer.json'), typeof import('./de/viewer.json')>;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Messages;
  }
}
