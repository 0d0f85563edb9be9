import { fieldScores, isOwned, type Field, type Property, type SearchList } from './searchList.ts';

/** Role of a name in a query: required in results, or preferred. */
export type NameRole = 'required' | 'preferred';

/** Fields of names. Names of albums and things are often common words, such as beach, and may be meant as words. */
const [people, placesAndCameras, common] = [
  new Set<Field>(['i']),
  new Set<Field>(['p', 'c']),
  new Set<Field>(['a', 'o']),
];

/** Property words that may also describe the content of a picture: a live concert, a city panorama. */
const ambiguousProperties: ReadonlySet<Property> = new Set(['LIVE', 'PANORAMA']);

/** Given names that are also words, in each language of the web app. Excludes May and June, which are dates. */
const ambiguousNames: ReadonlySet<string> = new Set(
  (
    'amber angel art autumn brook coral crystal daisy dawn faith forest ginger grace hazel heather holly hope iris ivy jade jasmine joy ' +
    'lily marina mark olive pearl poppy rainbow river robin rose ruby sandy sky star stella sunny violet will willow wren ' +
    'blume heide kai linde rosa sonne stern viola wolf'
  ).split(' '),
);

/** Words that introduce a name. */
export const nameIntroducers: ReadonlySet<string> = new Set(
  'at by from in near of with am auf aus bei beim im mit nach vom von'.split(' '),
);

/**
 * Decides if a word is a name, and its role. Names of people and properties are required, except those that are also
 * words. Names of places and cameras are required if introduced, as in "in Orange", and otherwise preferred: the word may
 * have another meaning, as in "an orange cat". Names of albums and things have no role.
 */
export const getNameRole = (
  word: string,
  lists: readonly SearchList[],
  isIntroduced: boolean,
): NameRole | undefined => {
  const properties = lists.filter(isOwned).map(({ property }) => property.name);
  if (properties.length > 0)
    return properties.every((name) => ambiguousProperties.has(name)) ? 'preferred' : 'required';
  const isNamed = (fields: ReadonlySet<Field>) =>
    lists.some(({ field, score }) => field !== null && fields.has(field) && score === 100 * fieldScores[field]);
  if (isNamed(people)) return isIntroduced || !(ambiguousNames.has(word) || isNamed(common)) ? 'required' : 'preferred';
  if (isNamed(placesAndCameras)) return isIntroduced ? 'required' : 'preferred';
  return undefined;
};
