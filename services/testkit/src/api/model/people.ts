import {
  compare,
  compareNames,
  isVisible,
  itemsWhere,
  type Face,
  type Item,
  type Library,
  type Person,
} from './library.ts';

export const itemsOfPerson = (library: Library, { id }: Person): Item[] =>
  itemsWhere(
    library,
    (item) =>
      isVisible(item) &&
      library.faces.some((face) => face.itemId === item.id && face.personId === id && !face.isMissed),
  );

/** The face that stands for a person: the best one of the item that was chosen, else of all visible ones. */
export const coverFaceOf = (library: Library, person: Person): Face | undefined => {
  const items = new Set(itemsOfPerson(library, person).map(({ id }) => id));
  const faces = library.faces
    .filter(({ personId, itemId, isMissed }) => personId === person.id && items.has(itemId) && !isMissed)
    .toSorted((a, b) => b.quality - a.quality || compare(a.id, b.id));
  return faces.find(({ itemId }) => itemId === person.coverId) ?? faces[0];
};

/** Those with a visible item: first with a name, by it; then the others, most items first. */
export const listPeople = (library: Library, isHidden: boolean): Person[] => {
  const counts = new Map(library.people.map((person) => [person, itemsOfPerson(library, person).length]));
  return library.people
    .filter((person) => person.isHidden === isHidden && counts.get(person)! > 0)
    .toSorted(
      (a, b) =>
        byName(a, b) ||
        (a.name === undefined ? counts.get(b)! - counts.get(a)! || b.created - a.created : 0) ||
        compare(a.id, b.id),
    );
};

/** Everybody on an item who is not hidden. */
export const peopleOfItem = ({ people, faces }: Library, item: Item): Person[] => {
  const found = faces.filter(({ itemId, isMissed }) => itemId === item.id && !isMissed);
  const ids = new Set(found.map(({ personId }) => personId));
  return people
    .filter(({ id, isHidden }) => ids.has(id) && !isHidden)
    .toSorted((a, b) => byName(a, b) || compare(a.id, b.id));
};

/** Whether a user has said something of a face or its person, so that both are kept where the face is not found again. */
export const isTold = ({ people, merged, rejections }: Library, { id, personId }: Face): boolean => {
  const person = people.find((each) => each.id === personId);
  return (
    (person !== undefined && (person.name !== undefined || person.isHidden || person.coverId !== null)) ||
    rejections.some((said) => said.faceId === id || said.personId === personId) ||
    merged.some((each) => each.holderId === personId || each.faceIds.has(id)) ||
    merged.some((each) => each.rejections.some((said) => said.faceId === id))
  );
};

/** Takes away those of some people who have no face any more, with what was said of them and who went up in them. */
export const forgetPeople = (library: Library, isAsked: (person: Person) => boolean): void => {
  library.people = library.people.filter(
    (person) => !isAsked(person) || library.faces.some(({ personId }) => personId === person.id),
  );
  const isThere = (id: string): boolean => library.people.some((person) => person.id === id);
  library.rejections = library.rejections.filter(({ personId }) => isThere(personId));
  library.merged = library.merged.filter(({ holderId }) => isThere(holderId));
};

/** What the housekeeper does: who has lost the last face because it was taken out stays for a day, which is longer than a test. */
export const forgetPeopleWithoutFaces = (library: Library): void => {
  const isThere = (id: string): boolean => library.faces.some((face) => face.id === id);
  library.rejections = library.rejections.filter(({ faceId }) => isThere(faceId));
  forgetPeople(library, ({ id }) => library.rejections.every(({ personId }) => personId !== id));
  library.merged = library.merged.filter(({ faceIds }) => [...faceIds].some(isThere));
};

/** Who has no name comes last. */
const byName = (a: Person, b: Person): number =>
  Number(a.name === undefined) - Number(b.name === undefined) || compareNames(a.name ?? '', b.name ?? '');
