import { expect, test } from 'vitest';
import { makeDraft, fileAt, noFiles, type FileList } from './fileList.ts';
import type { UploadFile } from './uploadFile.ts';

const file = (path: string): UploadFile => ({
  path,
  sizeBytes: 1,
  lastModified: 1,
  stage: 'queued',
  sentBytes: 0,
  attempts: 0,
});
const paths = (list: FileList): (string | undefined)[] =>
  Array.from({ length: list.length }, (_, place) => fileAt(list, place)?.path);
const names = Array.from({ length: 1000 }, (_, place) => `${place}`);

const makeList = (...all: readonly string[]): FileList => {
  const draft = makeDraft(noFiles);
  expect(all.map((path) => draft.push(file(path)))).toEqual(all.map((_, place) => place));
  return draft.finish();
};

test('keeps every file at its index, across chunk boundaries', () => {
  const list = makeList(...names);
  expect(paths(list)).toEqual(names);
  expect([fileAt(list, -1), fileAt(list, 1000)]).toEqual([undefined, undefined]);
});

test('does not modify the previous list, and copies only changed chunks', () => {
  const before = makeList(...names);
  const draft = makeDraft(before);
  draft.set(300, file('changed'));
  draft.push(file('new'));
  expect([draft.at(300)?.path, draft.at(1000)?.path]).toEqual(['changed', 'new']);
  const after = draft.finish();
  expect(paths(before)).toEqual(names);
  expect(paths(after)).toEqual([...names.with(300, 'changed'), 'new']);
  expect(after.chunks.filter((chunk, index) => chunk !== before.chunks[index]).length).toBe(2);
});
