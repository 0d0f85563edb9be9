import type { Messages } from './namespaces.ts';
import common from './de/common.json' with { type: 'json' };
import session from './de/session.json' with { type: 'json' };
import library from './de/library.json' with { type: 'json' };
import viewer from './de/viewer.json' with { type: 'json' };
import upload from './de/upload.json' with { type: 'json' };
import albums from './de/albums.json' with { type: 'json' };
import collections from './de/collections.json' with { type: 'json' };
import duplicates from './de/duplicates.json' with { type: 'json' };
import explore from './de/explore.json' with { type: 'json' };
import search from './de/search.json' with { type: 'json' };
import sharing from './de/sharing.json' with { type: 'json' };
import settings from './de/settings.json' with { type: 'json' };
import admin from './de/admin.json' with { type: 'json' };

/** Everything the app says in German. */
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
