import { createHash } from 'node:crypto';
import { z } from 'zod';
import { maxSearchLength, maxSearchResults } from '@hearth/contract/limits.ts';
import { createCursors, type Cursors } from '../../lists/listPage.ts';
import { Id, WallClock } from '../../lists/positions.ts';
import type { SimilarItem } from '../../semantic/candidates.ts';
import type { SearchPosition } from './queries.ts';
import { aheadLength, markLength } from './lists/searchFusion.ts';
import { readingKinds } from './searchReadings.ts';

/** Cursors of similar items. */
export const similarCursors = createCursors<SimilarItem>(
  'similar',
  z.strictObject({ likeness: z.number().min(-2).max(2), id: Id }),
);

const itemFields = { localTime: WallClock, id: Id };

const RankedItem = z.strictObject({ ...itemFields, score: z.int().min(0) });

const SearchPlace: z.ZodType<SearchPosition> = z.strictObject({
  began: WallClock,
  served: z.int().min(0).max(maxSearchResults),
  mistyped: z.array(z.int().min(0).max(maxSearchLength)).max(maxSearchLength),
  ahead: z
    .string()
    .regex(new RegExp(`^(?:[0-9a-f]{${markLength}})*$`))
    .max(aheadLength),
  readings: z
    .array(
      z.strictObject({
        kind: z.enum(readingKinds),
        at: RankedItem.optional(),
        rankedTo: z.strictObject(itemFields).optional(),
        until: RankedItem.optional(),
      }),
    )
    .max(readingKinds.length),
});

/** Cursors of one search, identified by a hash of its parameters. Other searches reject them. */
export const searchCursors = (search: object): Cursors<SearchPosition> =>
  createCursors(
    `search ${createHash('sha256').update(JSON.stringify(search)).digest('base64url').slice(0, 11)}`,
    SearchPlace,
  );
