import type common from './en/common.json';
import type session from './en/session.json';
import type library from './en/library.json';
import type viewer from './en/viewer.json';
import type upload from './en/upload.json';
import type albums from './en/albums.json';
import type collections from './en/collections.json';
import type duplicates from './en/duplicates.json';
import type explore from './en/explore.json';
import type search from './en/search.json';
import type sharing from './en/sharing.json';
import type settings from './en/settings.json';
import type admin from './en/admin.json';

/** The parts of the message catalogue, each a file per language in `locales`; English decides which messages there are. */
export interface Messages {
  readonly common: typeof common;
  readonly session: typeof session;
  readonly library: typeof library;
  readonly viewer: typeof viewer;
  readonly upload: typeof upload;
  readonly albums: typeof albums;
  readonly collections: typeof collections;
  readonly duplicates: typeof duplicates;
  readonly explore: typeof explore;
  readonly search: typeof search;
  readonly sharing: typeof sharing;
  readonly settings: typeof settings;
  readonly admin: typeof admin;
}

export const namespaces = [
  'common',
  'session',
  'library',
  'viewer',
  'upload',
  'albums',
  'collections',
  'duplicates',
  'explore',
  'search',
  'sharing',
  'settings',
  'admin',
] as const satisfies readonly (keyof Messages)[];

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Messages;
  }
}
