import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import {
  choosePeopleToMerge,
  findSimilarPeople,
  manyFaces,
  minFaceSimilarity,
  findMostSimilar,
  type MergeCandidate,
} from './similarFaces.ts';
import { decodeEmbedding, encodeEmbedding, computeSimilarity } from './faceEmbedding.ts';

test('keeps the similarity of an embedding when it is stored', () => {
  const generator = makeFaceGenerator(1);
  const [one, other] = [generator.person(), generator.person()];
  const bytes = encodeEmbedding(one);
  assert.equal(bytes.length, 256);
  assert.ok(Math.abs(computeSimilarity(decodeEmbedding(bytes), other) - computeSimilarity(one, other)) < 0.001);
  assert.ok(Math.abs(computeSimilarity(decodeEmbedding(bytes), one) - 1) < 0.001);
});

test('finds all people with a similar face, and the most similar one', () => {
  const generator = makeFaceGenerator(2);
  const look = generator.person();
  const known = [
    { personId: 'a', embedding: generator.makeFace(look, 0.6) },
    { personId: 'a', embedding: generator.makeFace(look, 0.9) },
    { personId: 'b', embedding: generator.makeFace(look, 0.7) },
    { personId: 'c', embedding: generator.person() },
  ];
  const similarities = findSimilarPeople(look, known);
  assert.deepEqual([...similarities.keys()].toSorted(), ['a', 'b']);
  assert.ok(similarities.get('a')! > 0.85 && similarities.get('b')! > minFaceSimilarity);
  assert.equal(findMostSimilar(similarities), 'a');
  assert.equal(
    findMostSimilar(
      new Map([
        ['b', 0.5],
        ['a', 0.5],
      ]),
    ),
    'a',
  );
  assert.equal(findMostSimilar(new Map()), undefined);
});

const person = (id: string, faces = 1, hasUserInput = false): MergeCandidate => ({ id, faces, hasUserInput });
const never = (): boolean => false;

const cases: Readonly<
  Record<string, [readonly MergeCandidate[], (one: string, other: string) => boolean, readonly string[]]>
> = {
  'all with few faces': [[person('a'), person('b'), person('c')], never, ['b', 'c']],
  'one with many and one with few': [[person('a', 500), person('b', manyFaces - 1)], never, ['b']],
  'not two with many': [[person('a', 500), person('b', manyFaces), person('c')], never, ['c']],
  'not two people with user input': [[person('a', 1, true), person('b', 1, true), person('c')], never, ['c']],
  'not people whom the user has separated': [
    [person('a'), person('b'), person('c')],
    (_, other) => other === 'b',
    ['c'],
  ],
  'none of an empty list': [[], never, []],
};

for (const [what, [people, areSeparate, merged]] of Object.entries(cases))
  test(`merges: ${what}`, () => {
    assert.deepEqual(
      choosePeopleToMerge(people, areSeparate).map(({ id }) => id),
      merged,
    );
  });
