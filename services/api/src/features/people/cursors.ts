import { z } from 'zod';
import { cursorsOf } from '../../lists/listPage.ts';
import { ByName, Id, WallClock } from '../../lists/positions.ts';
import type { PersonPosition } from './queries.ts';

/** The cursors of a user's people. */
export const peopleCursors = cursorsOf<PersonPosition>(
  'people',
  z.union([ByName, z.strictObject({ itemCount: z.int().min(0), time: WallClock, id: Id })]),
);
