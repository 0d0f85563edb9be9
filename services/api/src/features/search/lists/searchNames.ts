import { fieldScores, isOwned, type Field, type Property, type SearchList } from './searchList.ts';

/** How a word of a query that is a name is taken: what is found must have it, or comes first where it has it. */
export type NameHold = 'required' | 'preferred';

/** Fields of names. Albums and things are called by common words, such as beach, and a word that is one of theirs too may be meant as one. */
const [people, placesAndCameras, common] = [
  new Set<Field>(['i']),
  new Set<Field>(['p', 'c']),
  new Set<Field>(['a', 'o']),
];

/** Words for what an item is that are said of what a picture shows, too: a live concert, the panorama of a city. */
const ambiguousProperties: ReadonlySet<Property> = new Set(['LIVE', 'PANORAMA']);

/** Given names that are words, in each language of the web app. May and June are dates. */
const namesThatAreWords: ReadonlySet<string> = new Set(
  (
    'amber angel art autumn brook coral crystal daisy dawn faith forest ginger grace hazel heather holly hope iris ivy jade jasmine joy ' +
    'lily marina mark olive pearl poppy rainbow river robin rose ruby sandy sky star stella sunny violet will willow wren ' +
    'blume heide kai linde rosa sonne stern viola wolf'
  ).split(' '),
);

/** Words behind which a name is meant as one. */
export const nameIntroducers: ReadonlySet<string> = new Set(
  'at by from in near of with am auf aus bei beim im mit nach vom von'.split(' '),
);

/**
 * Whether a word is a name, and how it is taken. The name of a person, and what says what an item is, has to be met; so has a place or a camera that is
 * named as one: in Orange. Other places, and names that are words, may be meant otherwise: an orange cat.
 */
export const holdOf = (word: string, lists: readonly SearchList[], isIntroduced: boolean): NameHold | undefined => {
  const properties = lists.filter(isOwned).map(({ property }) => property.name);
  if (properties.length > 0)
    return properties.every((name) => ambiguousProperties.has(name)) ? 'preferred' : 'required';
  const isNamed = (fields: ReadonlySet<Field>) =>
    lists.some(({ field, score }) => field !== null && fields.has(field) && score === 100 * fieldScores[field]);
  if (isNamed(people))
    return isIntroduced || !(namesThatAreWords.has(word) || isNamed(common)) ? 'required' : 'preferred';
  if (isNamed(placesAndCameras)) return isIntroduced ? 'required' : 'preferred';
  return undefined;
};
