import type { MeaningVector, SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { Among, Candidates, Near } from './candidates.ts';
import { findItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { compareNear, findNearest } from './nearest.ts';

/** The most items that are ranked by meaning: nobody looks at more, and each is read and compared. */
export const maxByMeaning = 1_000;

/**
 * The least cosine of two pictures that are like each other, by the model. Of 1,770 pairs of 60 pictures of different kinds 3.3 % have 0.6 and more by the
 * stand-in, most of them animals, and 5.4 % have 0.5, among them mushrooms and dogs (2026-11). Pictures of CLIP have a mean cosine of some 0.5 to
 * 0.55, whatever they show: 0.7 is a first choice, until somebody has the weights.
 */
export const minAlike = {
  'tinyclip-vit-8m-16': 0.7,
  'clip-vit-b-32': 0.7,
  'concept-lite': 0.6,
} as const satisfies Readonly<Record<SearchModelName, number>>;

export interface MeaningOptions {
  readonly limit: number;
  /** The last item of the page before. Items at or before its place are left out, whatever has come since. */
  readonly after?: Near | undefined;
  /** Which items are wanted and no others. */
  readonly among?: Among | undefined;
}

/**
 * A user's visible items that show what a vector means, the likest first, and whether these are all that follow. What an item's likeness is, never
 * changes, so pages are stable while photos come: `after` goes on where the last page has ended.
 */
export const findByMeaning = async (
  db: Database,
  candidates: Candidates,
  userId: string,
  { model, vector, minLikeness }: MeaningVector,
  { limit, after, among }: MeaningOptions,
): Promise<{ readonly found: readonly Near[]; readonly isWhole: boolean }> => {
  for (let size = Math.min(maxByMeaning, after === undefined ? limit : 4 * limit); ; size *= 4) {
    const read = Math.min(size, maxByMeaning);
    const nearest = await findNearest(db, candidates, { userId, model, vector, limit: read, among });
    const likely = nearest.filter(({ likeness }) => likeness >= minLikeness);
    const behind = after === undefined ? likely : likely.filter((each) => compareNear(each, after) > 0);
    const areAll = nearest.length < read || likely.length < nearest.length || read === maxByMeaning;
    if (behind.length >= limit || areAll)
      return { found: behind.slice(0, limit), isWhole: areAll && behind.length <= limit };
  }
};

/**
 * A user's visible items that look like one of them, the likest first and without it; undefined where the item is none of the user's visible ones, or
 * the model has not seen it.
 */
export const findLikeItem = async (
  db: Database,
  candidates: Candidates,
  { userId, id, model }: { readonly userId: string; readonly id: string; readonly model: SearchModelName },
  options: MeaningOptions,
): Promise<readonly Near[] | undefined> => {
  const vector = await findItemEmbedding(db, userId, id, model);
  if (vector === undefined) return undefined;
  const { limit, ...others } = options;
  const asked = { model, vector, minLikeness: minAlike[model] };
  const { found } = await findByMeaning(db, candidates, userId, asked, { ...others, limit: limit + 1 });
  return found.filter((each) => each.id !== id).slice(0, limit);
};
