import { readFileSync } from 'node:fs';

/** An everyday noun with the models' kinds that it covers. */
export interface VocabularyEntry {
  /** Other search words, in lower case: things that the models cannot distinguish, and hypernyms. */
  readonly synonyms: readonly string[];
  /** German search words, with plurals, because a search word matches as a prefix only. */
  readonly german: readonly string[];
  /** Kinds of whole pictures: the first name in a line of synset.txt, or the WordNet id if two lines have that name. */
  readonly scenes: readonly string[];
  /** Kinds of objects: lines of coco_classes.txt. */
  readonly objects: readonly string[];
}

/**
 * Things to display, by English noun. Excludes things that few people search for, and people, who are found by FACES.
 * Also excludes things that models often see wrongly: suits and masks in portraits, menus and web sites in documents,
 * comics in drawings.
 */
export const vocabulary = JSON.parse(readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, VocabularyEntry>
>;

const mapNouns = (list: 'scenes' | 'objects'): ReadonlyMap<string, string> =>
  new Map(Object.entries(vocabulary).flatMap(([noun, entry]) => entry[list].map((kind) => [kind, noun] as const)));

const [nounsByScene, nounsByObject] = [mapNouns('scenes'), mapNouns('objects')];

/** Returns the noun for a line of synset.txt, such as "n02099601 golden retriever". */
export const getSceneNoun = (line: string): string | undefined => {
  const [id = '', ...words] = line.split(' ');
  const [name = ''] = words.join(' ').split(',');
  return nounsByScene.get(id) ?? nounsByScene.get(name);
};

/** Returns the noun for a line of coco_classes.txt. */
export const getObjectNoun = (line: string): string | undefined => nounsByObject.get(line);
