/* oxlint-disable typescript/consistent-type-imports -- one import type per message file */

/** Message file with the keys of the English one. Fails to compile if German lacks a key. */
type MessageFile<English, _German extends English> = English;

/** Message files by namespace. */
export interface Messages {
  readonly admin: MessageFile<typeof import('./en/admin.json'), typeof import('./de/admin.json')>;
  readonly albums: MessageFile<typeof import('./en/albums.json'), typeof import('./de/albums.json')>;
  readonly collections: MessageFile<typeof import('./en/collections.json'), typeof import('./de/collections.json')>;
  readonly common: MessageFile<typeof import('./en/common.json'), typeof import('./de/common.json')>;
  readonly duplicates: MessageFile<typeof import('./en/duplicates.json'), typeof import('./de/duplicates.json')>;
  readonly explore: MessageFile<typeof import('./en/explore.json'), typeof import('./de/explore.json')>;
  readonly library: MessageFile<typeof import('./en/library.json'), typeof import('./de/library.json')>;
  readonly search: MessageFile<typeof import('./en/search.json'), typeof import('./de/search.json')>;
  readonly session: MessageFile<typeof import('./en/session.json'), typeof import('./de/session.json')>;
  readonly settings: MessageFile<typeof import('./en/settings.json'), typeof import('./de/settings.json')>;
  readonly sharing: MessageFile<typeof import('./en/sharing.json'), typeof import('./de/sharing.json')>;
  readonly uploads: MessageFile<typeof import('./en/uploads.json'), typeof import('./de/uploads.json')>;
  readonly viewer: MessageFile<typeof import('./en/viewer.json'), typeof import('./de/viewer.json')>;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Messages;
  }
}
