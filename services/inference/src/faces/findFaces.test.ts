import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { openSessions } from '../process/sessions.ts';
import { lacksModels, listPictures, testSettings } from '@hearth/testkit/models/testModels.ts';
import { findFaces, type Face } from './findFaces.ts';

const sides = [640, 1440];

const findIn = async (path: string): Promise<readonly Face[]> => {
  const { run } = await openSessions(testSettings);
  return findFaces(run, await Promise.all(sides.map((side) => readTestPixels(path, side))));
};

const computeArea = ({ box }: Face): number => box.width * box.height;

const computeCosine = (a: Face, b: Face): number =>
  a.embedding.reduce((sum, value, i) => sum + value * b.embedding[i]!, 0);

test(
  'finds a face in every portrait, and scores any two of one person higher than any two of different people',
  { skip: lacksModels },
  async () => {
    const portraits = listPictures('faces').filter((path) => basename(path).startsWith('person'));
    const faces = await Promise.all(
      portraits.map(async (path) => {
        // The largest face is the portrayed person's.
        const [face] = (await findIn(path)).toSorted((a, b) => computeArea(b) - computeArea(a));
        assert.ok(face, basename(path));
        return { face, person: basename(path).split('_')[0] };
      }),
    );
    const pairs = faces.flatMap((one, i) =>
      faces
        .slice(i + 1)
        .map((other) => ({ isSame: one.person === other.person, cosine: computeCosine(one.face, other.face) })),
    );
    const same = pairs.filter(({ isSame }) => isSame).map(({ cosine }) => cosine);
    const different = pairs.filter(({ isSame }) => !isSame).map(({ cosine }) => cosine);
    assert.ok(same.length >= 30 && different.length >= 100);
    assert.ok(Math.min(...same) > Math.max(...different), `${Math.min(...same)} and ${Math.max(...different)}`);
    assert.ok(Math.min(...same) > 0.4 && Math.max(...different) < 0.4);
  },
);
