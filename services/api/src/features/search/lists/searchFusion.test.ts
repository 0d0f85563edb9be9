import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { aheadLength, compareFound, fusedRanks, fuseRanked, type RankedList } from './searchFusion.ts';
import type { Found } from './searchList.ts';

const idOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** A list of some of 300 items with scores. */
const anyList = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 299 }), fc.nat({ max: 20 })), {
    maxLength: 250,
    size: 'max',
    selector: ([n]) => n,
  })
  .map((items) =>
    items.map(([n, score]): Found => ({ id: idOf(n), localTime: '2020-01-01T00:00:00', score })).toSorted(compareFound),
  );

const rankIn = (list: readonly Found[], id: string): number => list.findIndex((item) => item.id === id) + 1 || Infinity;

/** Reciprocal rank fusion of lists by words and one by meaning, in the simplest possible way. */
const fuseAll = (wordLists: readonly (readonly Found[])[], semanticList: readonly Found[]): Map<string, number> => {
  const ids = new Set([...wordLists, semanticList].flat().map(({ id }) => id));
  return new Map(
    [...ids].map((id) => {
      const byWords = Math.min(...wordLists.map((list) => rankIn(list, id)));
      const byMeaning = rankIn(semanticList, id);
      const isTwice = Math.max(byWords, byMeaning) <= fusedRanks;
      const best = 1 / (60 + Math.min(byWords, byMeaning));
      return [id, isTwice ? 1 / (60 + byWords) + 1 / (60 + byMeaning) : best] as const;
    }),
  );
};

test('pages equal the fused list, wherever they start and however far the lists were read', () => {
  fc.assert(
    fc.property(
      fc.array(anyList, { minLength: 1, maxLength: 3 }),
      anyList,
      fc.integer({ min: 1, max: 40 }),
      (wordLists, semanticList, size) => {
        const scores = fuseAll(wordLists, semanticList);
        const walked: string[] = [];
        let [left, ahead]: [readonly (Found | undefined)[], string] = [[], ''];
        for (let hasMore = true; hasMore;) {
          const end = Math.max(fusedRanks, walked.length + size + 1);
          const lists: RankedList[] = wordLists.map((list, index) => ({
            found: list.slice(0, end),
            isWhole: list.length < end,
            after: left[index],
          }));
          lists.push({ found: semanticList, isWhole: true, after: left[wordLists.length], isSemantic: true });
          const fused = fuseRanked(lists, { ahead, skip: 0, size });
          assert(!fused.isShort);
          assert(fused.ahead.length <= aheadLength);
          walked.push(...fused.ids);
          ({ hasMore, left, ahead } = fused);
        }
        assert.deepEqual(walked.toSorted(), [...scores.keys()].toSorted());
        const inOrder = walked.map((id) => scores.get(id)!);
        assert.deepEqual(
          inOrder,
          inOrder.toSorted((a, b) => b - a),
        );
      },
    ),
    { numRuns: runs(100) },
  );
});
