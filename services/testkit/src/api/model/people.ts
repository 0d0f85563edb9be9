import {
  compare,
  compareNames,
  isVisible,
  filterItems,
  type Face,
  type Item,
  type Library,
  type Person,
} from './library.ts';

export const listPersonItems = (library: Library, { id }: Person): Item[] =>
  filterItems(
    library,
    (item) =>
      isVisible(item) &&
      library.faces.some((face) => face.itemId === item.id && face.personId === id && !face.isMissed),
  );

/** Returns the representative face of a person: the best one on the chosen cover, else the best on any visible item. */
export const findCoverFace = (library: Library, person: Person): Face | undefined => {
  const items = new Set(listPersonItems(library, person).map(({ id }) => id));
  const faces = library.faces
    .filter(({ personId, itemId, isMissed }) => personId === person.id && items.has(itemId) && !isMissed)
    .toSorted((a, b) => b.quality - a.quality || compare(a.id, b.id));
  return faces.find(({ itemId }) => itemId === person.coverId) ?? faces[0];
};

/** Returns people with a visible item: named people by name, then the others by number of items. */
export const listPeople = (library: Library, isHidden: boolean): Person[] => {
  const counts = new Map(library.people.map((person) => [person, listPersonItems(library, person).length]));
  return library.people
    .filter((person) => person.isHidden === isHidden && counts.get(person)! > 0)
    .toSorted(
      (a, b) =>
        compareByName(a, b) ||
        (a.name === undefined ? counts.get(b)! - counts.get(a)! || b.created - a.created : 0) ||
        compare(a.id, b.id),
    );
};

/** Returns the people on an item who are not hidden. */
export const listItemPeople = ({ people, faces }: Library, item: Item): Person[] => {
  const found = faces.filter(({ itemId, isMissed }) => itemId === item.id && !isMissed);
  const ids = new Set(found.map(({ personId }) => personId));
  return people
    .filter(({ id, isHidden }) => ids.has(id) && !isHidden)
    .toSorted((a, b) => compareByName(a, b) || compare(a.id, b.id));
};

/** Returns true if the user has given input on a face or its person. Both are then kept if the face is not found again. */
export const isUserDefined = ({ people, merged, rejections }: Library, { id, personId }: Face): boolean => {
  const person = people.find((each) => each.id === personId);
  return (
    (person !== undefined && (person.name !== undefined || person.isHidden || person.coverId !== null)) ||
    rejections.some((rejection) => rejection.faceId === id || rejection.personId === personId) ||
    merged.some((other) => other.holderId === personId || other.faceIds.has(id)) ||
    merged.some((other) => other.rejections.some(({ faceId }) => faceId === id))
  );
};

/** Removes people without faces who match `isCandidate`, with their rejections and the people merged into them. */
export const removePeople = (library: Library, isCandidate: (person: Person) => boolean): void => {
  library.people = library.people.filter(
    (person) => !isCandidate(person) || library.faces.some(({ personId }) => personId === person.id),
  );
  const personExists = (id: string): boolean => library.people.some((person) => person.id === id);
  library.rejections = library.rejections.filter(({ personId }) => personExists(personId));
  library.merged = library.merged.filter(({ holderId }) => personExists(holderId));
};

/** Models the housekeeper. A person whose last face the user removed is kept for a day, longer than a test runs. */
export const removePeopleWithoutFaces = (library: Library): void => {
  const faceExists = (id: string): boolean => library.faces.some((face) => face.id === id);
  library.rejections = library.rejections.filter(({ faceId }) => faceExists(faceId));
  removePeople(library, ({ id }) => library.rejections.every(({ personId }) => personId !== id));
  library.merged = library.merged.filter(({ faceIds }) => [...faceIds].some(faceExists));
};

/** Compares by name, with unnamed people last. */
const compareByName = (a: Person, b: Person): number =>
  Number(a.name === undefined) - Number(b.name === undefined) || compareNames(a.name ?? '', b.name ?? '');
