import type common from '../locales/en/common.json';
import type session from '../locales/en/session.json';
import type library from '../locales/en/library.json';
import type viewer from '../locales/en/viewer.json';
import type upload from '../locales/en/upload.json';
import type albums from '../locales/en/albums.json';
import type collections from '../locales/en/collections.json';
import type explore from '../locales/en/explore.json';
import type search from '../locales/en/search.json';
import type sharing from '../locales/en/sharing.json';
import type settings from '../locales/en/settings.json';
import type admin from '../locales/en/admin.json';

/** The parts of the message catalogue, each a file per language in `locales`; English decides which messages there are. */
export interface Messages {
  readonly common: typeof common;
  readonly session: typeof session;
  readonly library: typeof library;
  readonly viewer: typeof viewer;
  readonly upload: typeof upload;
  readonly albums: typeof albums;
  readonly collections: typeof collections;
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
