import { readFileSync } from 'node:fs';

/** What people call a thing, and which kinds of the models it is. */
export interface VocabularyEntry {
  /** Words by which people look for it, too: those that a model cannot tell apart, and what it is one of. Lower case. */
  readonly synonyms: readonly string[];
  /** German words by which people look for it, likewise, with plurals: a search finds what begins with its word, not what its word begins with. */
  readonly german: readonly string[];
  /** Kinds of whole pictures: the first name in a line of synset.txt, or its WordNet id where two lines have the name. */
  readonly scenes: readonly string[];
  /** Kinds of things in a picture: lines of coco_classes.txt. */
  readonly objects: readonly string[];
}

/**
 * The things that people are told of, by their everyday English noun. What is not here is told to nobody: what few people would look for, what models
 * see where it is not (suits and masks in portraits, menus and web sites in documents, comics in drawings), and people, whom FACES finds.
 */
export const vocabulary = JSON.parse(readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, VocabularyEntry>
>;

const nounsBy = (list: 'scenes' | 'objects'): ReadonlyMap<string, string> =>
  new Map(Object.entries(vocabulary).flatMap(([noun, entry]) => entry[list].map((kind) => [kind, noun] as const)));

const [nounsOfScenes, nounsOfObjects] = [nounsBy('scenes'), nounsBy('objects')];

/** The noun of a line of synset.txt, such as "n02099601 golden retriever"; undefined where there is none. */
export const nounOfScene = (line: string): string | undefined => {
  const [id = '', ...words] = line.split(' ');
  const [name = ''] = words.join(' ').split(',');
  return nounsOfScenes.get(id) ?? nounsOfScenes.get(name);
};

/** The noun of a line of coco_classes.txt; undefined where there is none. */
export const nounOfObject = (line: string): string | undefined => nounsOfObjects.get(line);
