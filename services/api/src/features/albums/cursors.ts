import { cursorsOf, type Cursors } from '../../lists/listPage.ts';
import { ByName, ByTime } from '../../lists/positions.ts';
import type { AlbumOrder, AlbumPosition } from './queries.ts';

/** The cursors of a user's albums in one order; other orders refuse them. */
export const albumCursors = (order: AlbumOrder, isDescending: boolean): Cursors<AlbumPosition> =>
  cursorsOf<AlbumPosition>(`albums ${isDescending ? '-' : ''}${order}`, order === 'sort_name' ? ByName : ByTime);
