import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyPlan, nextPlan } from '../plan/uploadPlan.ts';
import { stages, type UploadFile } from '../plan/uploadFile.ts';
import { countListed, listFiles, listNames } from './listedFiles.ts';

const makeFile = (stage: UploadFile['stage'], index: number): UploadFile => ({
  path: `${index}.jpg`,
  sizeBytes: 1,
  lastModified: 0,
  stage,
  sentBytes: 0,
  attempts: 0,
});

const makePlan = (fileStages: readonly UploadFile['stage'][]) =>
  nextPlan(emptyPlan, [{ kind: 'added', files: fileStages.map(makeFile) }]);

test('lists files being sent first, then delayed ones, then the others in upload order', () => {
  const plan = makePlan(['queued', 'done', 'waiting', 'ready', 'sending', 'refused', 'hashing']);
  expect(listFiles(plan, 'now', 0, 9)).toEqual([4, 2, 0, 3, 6]);
  expect(listFiles(plan, 'problems', 0, 9)).toEqual([5]);
});

test('puts every file except cancelled ones in one list, and returns ranges of it', () => {
  const row = fc.nat(30);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...stages), { maxLength: 30 }), row, row, (fileStages, from, to) => {
      const plan = makePlan(fileStages);
      const lists = listNames.map((name) => listFiles(plan, name, 0, fileStages.length));
      const listed = fileStages.flatMap((stage, id) => (stage === 'cancelled' ? [] : [id]));
      expect(lists.flat().toSorted((a, b) => a - b)).toEqual(listed);
      for (const [index, name] of listNames.entries()) {
        expect(countListed(plan, name)).toBe(lists[index]?.length);
        expect(listFiles(plan, name, from, to)).toEqual(lists[index]?.slice(from, to));
      }
    }),
  );
});
