import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Thing } from '@hearth/contract/explore.ts';
import { readPeople, type NamesById } from '@hearth/load-tests/quality/searchQueries.ts';
import type { LibraryClient } from '@hearth/load-tests/quality/libraryClient.ts';
import type { MediaFile } from './manifest.ts';

/** A person's labels for a picture: the expected ones, and others that are also correct. */
interface VisibleThings {
  readonly expected: readonly string[];
  readonly alsoRight: readonly string[];
}

const visibleThings = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../load-tests/quality/measure/seenThings.json'), 'utf8'),
) as Readonly<Record<string, VisibleThings>>;

/** Comparison of the listed things with a person's labels. */
export interface ListedThings {
  /** Share of listed things that are correct, on photos that are not from ImageNet. */
  readonly precision: number;
  /** Share of expected things that are listed, on all pictures. */
  readonly recall: number;
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

/** Compares the lists of things and their media items with a person's labels. */
export const compareThings = async (library: LibraryClient, names: NamesById): Promise<ListedThings> => {
  const reported: { readonly file: string; readonly thing: string }[] = [];
  for (const { id, name } of await library.list<Thing>('/v1/explore/things?limit=100'))
    for (const item of await library.list<{ readonly id: string }>(`/v1/explore/things/${id}/mediaItems?limit=100`))
      reported.push(...(names.get(item.id) ?? []).map((file) => ({ file, thing: name })));
  const reportedThings = new Set(reported.map(({ file, thing }) => `${thing} in ${file}`));
  const thingsOfPhotos = reported.filter(({ file }) => file in visibleThings && !file.startsWith('things-imagenet/'));
  const wrong = thingsOfPhotos
    .filter(({ file, thing }) => ![...visibleThings[file]!.expected, ...visibleThings[file]!.alsoRight].includes(thing))
    .map(({ file, thing }) => `${thing} in ${file}`);
  const expected = Object.entries(visibleThings).flatMap(([file, seen]) =>
    seen.expected.map((thing) => `${thing} in ${file}`),
  );
  const missed = expected.filter((each) => !reportedThings.has(each));
  return {
    precision: 1 - wrong.length / thingsOfPhotos.length,
    recall: 1 - missed.length / expected.length,
    wrong,
    missed,
  };
};

/**
 * Compares the listed people with the identities of the manifest. Each identity is matched to the person with the most
 * of its photos.
 */
export const comparePeople = async (library: LibraryClient, names: NamesById, files: readonly MediaFile[]) => {
  const groups = await readPeople(library, names);
  const identityByFile = new Map(files.map(({ name, expected }) => [name, expected.person]));
  const identities = Map.groupBy(
    files.filter(({ expected }) => expected.person !== undefined),
    ({ expected }) => expected.person!,
  );
  const missed: string[] = [];
  const mixed: string[] = [];
  for (const [identity, photos] of identities) {
    const sharedWith = (group: (typeof groups)[number]) => photos.filter(({ name }) => group.files.includes(name));
    const most = groups.toSorted((a, b) => sharedWith(b).length - sharedWith(a).length)[0];
    for (const { name } of photos) if (!most?.files.includes(name)) missed.push(name);
    for (const file of most?.files ?? [])
      if (![undefined, identity].includes(identityByFile.get(file))) mixed.push(`${file} as ${identity}`);
  }
  return { identities: identities.size, missed, mixed };
};

/** Returns the manifest's texts that a search does not find with the reason `text` in their picture. */
export const findUnreadTexts = async (
  library: LibraryClient,
  names: NamesById,
  files: readonly MediaFile[],
): Promise<string[]> => {
  const unread: string[] = [];
  for (const { name, expected } of files)
    for (const text of expected.contains ?? []) {
      const parameters = new URLSearchParams({ q: text, limit: '10' });
      const { entries } = await library.search(parameters);
      const isFound = entries.some(
        ({ id, reasons }) => names.get(id)?.includes(name) && reasons.some(({ kind }) => kind === 'text'),
      );
      if (!isFound) unread.push(`${text} in ${name}`);
    }
  return unread;
};
