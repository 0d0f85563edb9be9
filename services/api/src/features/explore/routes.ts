import type { Place, Thing } from '@hearth/contract/explore.ts';
import { checkCollection, listCollectionItems } from '../../lists/collections.ts';
import type { Cover } from '../../lists/covers.ts';
import type { NamePosition } from '../../database/pages.ts';
import {
  getExplored,
  listExplored,
  listExploredOfItem,
  setExploredCover,
  type ExploredKind,
  type ExploredRows,
} from './queries.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import type { Handlers } from '../../http/handle.ts';
import { viewCovers, type ItemView } from '../../lists/itemView.ts';
import { nextPageLink, pageIn, type Cursors } from '../../lists/listPage.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { presentPlace, presentThing } from './presenter.ts';
import { cursors } from '../../lists/positions.ts';

type Call<Name extends keyof Handlers> = Parameters<Handlers[Name]>;

/** Presenter and cursors of one kind of collection. */
interface Presentation<Kind extends ExploredKind, Entry> {
  readonly present: (view: ItemView, row: ExploredRows[Kind], cover: Cover | undefined) => Entry;
  readonly cursors: Cursors<NamePosition>;
  readonly cursorsOfItem: Cursors<NamePosition>;
}

/** Handlers shared by places and things. */
const createHandlers = <Kind extends ExploredKind, Entry extends Place | Thing>(
  kind: Kind,
  { present, cursors: cursorsOfKind, cursorsOfItem }: Presentation<Kind, Entry>,
) => ({
  list: async (...[{ db, links }, { query, user, req }]: Call<'listPlaces' | 'listThings'>) => {
    const page = pageIn(cursorsOfKind, query);
    const { entries, next, totalCount } = await listExplored(db, kind, user.userId, page);
    const view = viewCovers(links, user, entries);
    return {
      status: 200 as const,
      headers: { 'X-Total-Count': totalCount, Link: nextPageLink(cursorsOfKind, next, req.originalUrl) },
      body: entries.map((each) => present(view, each, each.cover)),
    };
  },
  get: async (...[{ db, links }, { params, user }]: Call<'getPlace' | 'getThing'>) => {
    const explored = await getExplored(db, kind, user.userId, params.id);
    return { status: 200 as const, body: present(viewCovers(links, user, [explored]), explored, explored.cover) };
  },
  update: async (...[{ db }, { params, body, user }]: Call<'updateThing'>) => {
    await setExploredCover(db, kind, user.userId, params.id, body.coverMediaItemId);
    return { status: 204 as const };
  },
  listMediaItems: async (
    ...[{ db, links }, { params, query, user, req }]: Call<'listPlaceMediaItems' | 'listThingMediaItems'>
  ) => {
    await checkCollection(db, user.userId, kind, params.id);
    const page = await listCollectionItems(db, params.id, toPage(query));
    return presentMediaItemPage(links, user, page, query, req.originalUrl);
  },
  listOfMediaItem: async (
    ...[{ db, links }, { params, query, user, req }]: Call<'listMediaItemPlaces' | 'listMediaItemThings'>
  ) => {
    await getMediaItem(db, user.userId, params.id);
    const page = pageIn(cursorsOfItem, query);
    const { entries, next } = await listExploredOfItem(db, kind, user.userId, params.id, page);
    const view = viewCovers(links, user, entries);
    return {
      status: 200 as const,
      headers: { Link: nextPageLink(cursorsOfItem, next, req.originalUrl) },
      body: entries.map(({ row, cover }) => present(view, row, cover)),
    };
  },
});

const places = createHandlers('place', {
  present: presentPlace,
  cursors: cursors.places,
  cursorsOfItem: cursors.placesOfItem,
});
const things = createHandlers('thing', {
  present: presentThing,
  cursors: cursors.things,
  cursorsOfItem: cursors.thingsOfItem,
});

export const exploreHandlers = {
  listPlaces: places.list,
  getPlace: places.get,
  updatePlace: places.update,
  listPlaceMediaItems: places.listMediaItems,
  listMediaItemPlaces: places.listOfMediaItem,
  listThings: things.list,
  getThing: things.get,
  updateThing: things.update,
  listThingMediaItems: things.listMediaItems,
  listMediaItemThings: things.listOfMediaItem,
} satisfies Partial<Handlers>;
