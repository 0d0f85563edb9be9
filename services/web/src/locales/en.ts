import type { Messages } from './namespaces.ts';
import common from './en/common.json' with { type: 'json' };
import session from './en/session.json' with { type: 'json' };
import library from './en/library.json' with { type: 'json' };
import viewer from './en/viewer.json' with { type: 'json' };
import upload from './en/upload.json' with { type: 'json' };
import albums from './en/albums.json' with { type: 'json' };
import collections from './en/collections.json' with { type: 'json' };
import duplicates from './en/duplicates.json' with { type: 'json' };
import explore from './en/explore.json' with { type: 'json' };
import search from './en/search.json' with { type: 'json' };
import sharing from './en/sharing.json' with { type: 'json' };
import settings from './en/settings.json' with { type: 'json' };
import admin from './en/admin.json' with { type: 'json' };

/** Everything the app says in English. */
export const messages: Messages = {
  common,
  session,
  library,
  viewer,
  upload,
  albums,
  collections,
  duplicates,
  explore,
  search,
  sharing,
  settings,
  admin,
};
