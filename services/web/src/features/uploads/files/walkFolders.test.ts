import { expect, test } from 'vitest';
import type { FoundFile } from './foundFile.ts';
import { walkEntry, walkHandle } from './walkFolders.ts';

/** Fake folder: its entries by name. A string is the content of a file; null is an unreadable file. */
interface Tree {
  readonly [name: string]: Tree | string | null;
}

const tree: Tree = {
  'IMG_2.MOV': 'film',
  'IMG_10.JPG': 'ten',
  'IMG_2.JPG': 'photo',
  '.DS_Store': 'clutter',
  'Thumbs.db': 'clutter',
  'gone.jpg': null,
  second: { 'IMG_3.JPG': 'three', empty: {} },
  first: { 'IMG_1.JPG': 'one' },
};
/** Expected order: both files of a Live Photo together, unreadable files omitted, folders last. */
const expected = ['IMG_10.JPG', 'IMG_2.JPG', 'IMG_2.MOV', 'first/IMG_1.JPG', 'second/IMG_3.JPG'].map(
  (path) => `Trip/${path}`,
);

const notFoundError = new DOMException('It is gone.', 'NotFoundError');
const makeFile = (name: string, content: string): File => new File([content], name, { lastModified: 5 });

const makeHandle = (name: string, content: Tree | string | null): FileSystemHandle => {
  const fake =
    typeof content === 'string' || content === null
      ? {
          kind: 'file',
          name,
          getFile: async () => (content === null ? Promise.reject(notFoundError) : makeFile(name, content)),
        }
      : {
          kind: 'directory',
          name,
          values: async function* () {
            for (const [child, inside] of Object.entries(content)) yield makeHandle(child, inside);
          },
        };
  return fake as unknown as FileSystemHandle;
};

/** Readers return at most two entries at a time here, and at most 100 in browsers. */
const makeEntry = (fullPath: string, content: Tree | string | null): FileSystemEntry => {
  const name = fullPath.slice(fullPath.lastIndexOf('/') + 1);
  const isFile = typeof content === 'string' || content === null;
  const makeReader = (tree: Tree) => {
    const rest = Object.entries(tree).map(([child, inside]) => makeEntry(`${fullPath}/${child}`, inside));
    return { readEntries: (resolve: (some: FileSystemEntry[]) => void) => resolve(rest.splice(0, 2)) };
  };
  return {
    isFile,
    isDirectory: !isFile,
    name,
    fullPath,
    file: (resolve: (file: File) => void, reject: (error: unknown) => void) =>
      typeof content === 'string' ? resolve(makeFile(name, content)) : reject(notFoundError),
    createReader: () => makeReader(content as Tree),
  } as unknown as FileSystemEntry;
};

const collect = async (slices: AsyncIterable<readonly FoundFile[]>): Promise<FoundFile[]> => {
  const found: FoundFile[] = [];
  for await (const slice of slices) found.push(...slice);
  return found;
};

test('lists every readable file of a dropped folder, with the folder as the root', async () => {
  const root = makeHandle('Trip', tree);
  const found = await collect(walkHandle(root));
  expect(found.map(({ path }) => path)).toEqual(expected);
  expect(new Set(found.map((file) => file.root))).toEqual(new Set([root]));
  expect(found[1]).toMatchObject({ sizeBytes: 'photo'.length, lastModified: 5 });
  // Opened through the folder: a handle per file would stay open.
  expect(found[3]?.source).toEqual({ folder: root, names: ['first', 'IMG_1.JPG'] });
});

test('lists the same files without file handles', async () => {
  expect((await collect(walkEntry(makeEntry('/Trip', tree)))).map(({ path }) => path)).toEqual(expected);
});

test('lists large folders in slices', async () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`${index}.jpg`, 'x']));
  const lengths: number[] = [];
  for await (const slice of walkHandle(makeHandle('Many', many))) lengths.push(slice.length);
  expect(lengths).toEqual([64, 64, 22]);
});
