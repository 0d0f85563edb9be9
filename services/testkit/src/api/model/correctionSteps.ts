import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { callAs, expectNotFound, type ModelUser, type ModelContext } from './expectations.ts';
import type { Library, MergedPerson, Person, Rejection } from './library.ts';
import { removePeople, listPersonItems } from './people.ts';
import { choosePerson } from './peopleSteps.ts';
import { anyChoice, anyChoices, anyIndex, choose, rarelyTrue, pick, step, type Choice } from './steps.ts';

/** Removes a person's faces on some items. Each face gets a new person, because no other face is similar. */
const remove = step(
  'remove from person',
  fc.tuple(anyChoice, anyChoices),
  async (modelUser, [choice, choices], context) => {
    const { library } = modelUser;
    const { id, expectedError, items } = choosePerson(modelUser, context, choice);
    const { mediaItems, itemError } = chooseItems(
      modelUser,
      context,
      choices,
      items.map((item) => item.id),
    );
    const request = { params: { id }, body: { mediaItems } };
    if ((await callAs(modelUser, 'removeFromPerson', request, expectedError ?? itemError)) === undefined) return;
    const removedFaces = library.faces.filter((face) => face.personId === id && mediaItems.includes(face.itemId));
    for (const face of removedFaces) {
      const { person_id } = await context.api.deps.db
        .selectFrom('faces')
        .select('person_id')
        .where('id', '=', face.id)
        .executeTakeFirstOrThrow();
      assert.ok(person_id !== null && library.people.every((person) => person.id !== person_id));
      library.people.push({ id: person_id, name: undefined, coverId: null, isHidden: false, created: context.calls });
      library.rejections = library.rejections.filter(({ faceId, personId }) => faceId !== face.id || personId !== id);
      library.rejections.push({ faceId: face.id, personId: id, at: context.calls });
      face.personId = person_id;
    }
  },
);

const returnToPerson = step(
  'return to person',
  fc.tuple(anyChoice, anyChoices),
  async (modelUser, [choice, choices], context) => {
    const { library } = modelUser;
    const { id, own } = choose('people', modelUser, context, choice);
    const mergedPeople = library.merged.filter(({ holderId }) => holderId === id);
    const rejections = library.rejections.filter(({ personId }) => personId === id);
    const rejectedIds = new Set(
      [...rejections, ...mergedPeople.flatMap((merged) => merged.rejections)].map(({ faceId }) => faceId),
    );
    const listed = library.faces.filter((face) => rejectedIds.has(face.id)).map(({ itemId }) => itemId);
    const { mediaItems, itemError } = chooseItems(modelUser, context, choices, listed);
    const expectedError = own === undefined ? expectNotFound('person') : itemError;
    const response = await callAs(modelUser, 'returnToPerson', { params: { id }, body: { mediaItems } }, expectedError);
    if (response === undefined) return;
    const faces = library.faces.filter((face) => rejectedIds.has(face.id) && mediaItems.includes(face.itemId));
    const isOfFaces = ({ faceId }: Rejection): boolean => faces.some((face) => face.id === faceId);
    for (const merged of mergedPeople)
      merged.rejections = merged.rejections.filter((rejection) => !isOfFaces(rejection));
    library.rejections = library.rejections.filter((rejection) => rejection.personId !== id || !isOfFaces(rejection));
    const before = new Set(faces.map(({ personId }) => personId).filter((personId) => personId !== id));
    for (const face of faces) face.personId = id;
    removePeople(library, (person) => before.has(person.id));
  },
);

/** Chooses items for a call, mostly from `listed`. */
const chooseItems = (
  modelUser: ModelUser,
  context: ModelContext,
  choices: readonly Choice[],
  listed: readonly string[],
) => {
  const chosen = choices.map((choice) => {
    const isListed = choice.whose === 'own' && choice.index % 5 > 0;
    const id = isListed ? pick(listed, choice.index) : undefined;
    const anyItem = choose('items', modelUser, context, choice);
    return id === undefined ? anyItem : { id, own: modelUser.library.items.find((item) => item.id === id) };
  });
  const isMissing = chosen.some(({ own }) => own === undefined);
  return { mediaItems: chosen.map(({ id }) => id), itemError: isMissing ? expectNotFound('media item') : undefined };
};

const merge = step(
  'merge people',
  fc.tuple(anyChoice, fc.array(anyChoice, { minLength: 1, maxLength: 3 })),
  async (modelUser, [choice, choices], context) => {
    const { library } = modelUser;
    const kept = choosePerson(modelUser, context, choice);
    const others = choices.map((other: Choice) => choosePerson(modelUser, context, other));
    const expectedError = [kept, ...others].find((person) => person.expectedError !== undefined)?.expectedError;
    const body = { people: others.map(({ id }) => id) };
    const response = await callAs(modelUser, 'mergePeople', { params: { id: kept.id }, body }, expectedError);
    if (response === undefined || kept.own === undefined) return;
    const mergedPeople = [...new Set(others.map(({ own }) => own!))].filter((person) => person !== kept.own);
    mergePeople(library, kept.own, mergedPeople, context.calls);
  },
);

const mergePeople = (library: Library, kept: Person, others: readonly Person[], at: number): void => {
  const namesake = kept.name === undefined ? others.find(({ name }) => name !== undefined) : undefined;
  const isMerged = (id: string): boolean => others.some((person) => person.id === id);
  for (const merged of library.merged) if (isMerged(merged.holderId)) merged.holderId = kept.id;
  for (const person of others) {
    const faces = library.faces.filter(({ personId }) => personId === person.id);
    const faceIds = new Set(faces.map(({ id }) => id));
    const rejections = library.rejections.filter(({ personId }) => personId === person.id);
    const gaveName = person === namesake;
    library.merged.push({ ...person, intoId: kept.id, holderId: kept.id, gaveName, at, faceIds, rejections });
    for (const face of faces) face.personId = kept.id;
  }
  library.rejections = library.rejections.filter(({ personId }) => !isMerged(personId));
  library.people = library.people.filter((person) => !others.includes(person));
  kept.name ??= namesake?.name;
};

const separatePeople = (library: Library, from: Person, merged: MergedPerson): void => {
  const { id, name, coverId, isHidden, created, rejections, at } = merged;
  const ownFaces = library.faces.filter((face) => merged.faceIds.has(face.id) && face.personId === from.id);
  library.merged = library.merged.filter((each) => each !== merged);
  const isInside = (each: MergedPerson): boolean =>
    each.intoId === id || library.merged.some((other) => other.id === each.intoId && isInside(other));
  if (merged.gaveName) from.name = undefined;
  if (ownFaces.length === 0) {
    library.merged = library.merged.filter((each) => !isInside(each));
    return;
  }
  for (const each of library.merged) if (isInside(each)) each.holderId = id;
  library.people.push({ id, name, coverId, isHidden, created });
  for (const face of ownFaces) face.personId = id;
  const laterRejections = library.rejections.filter((rejection) => rejection.personId === from.id && rejection.at > at);
  for (const rejection of [...rejections, ...laterRejections]) addRejection(library, { ...rejection, personId: id });
};

/** Adds a rejection unless it exists. */
const addRejection = ({ rejections }: Library, rejection: Rejection): void => {
  const { faceId, personId } = rejection;
  if (!rejections.some((other) => other.faceId === faceId && other.personId === personId)) rejections.push(rejection);
};

/** Generates input of the step below. It mostly names a merged person who can be separated. */
const anySeparation = fc.tuple(anyChoice, rarelyTrue, fc.array(anyIndex, { minLength: 1, maxLength: 2 }), anyChoice);

const separate = step('separate people', anySeparation, async (modelUser, [choice, isAny, indexes, other], context) => {
  const { library } = modelUser;
  const someMerge = pick(library.merged, choice.index);
  const isOfMerge = choice.whose === 'own' && !isAny && someMerge !== undefined;
  const { id, own } = isOfMerge
    ? { id: someMerge.intoId, own: library.people.find((person) => person.id === someMerge.intoId) }
    : choose('people', modelUser, context, choice);
  const mergedPeople = library.merged.filter((person) => person.intoId === id);
  const requestedIds = [
    ...indexes.flatMap((index) => pick(mergedPeople, index)?.id ?? []),
    ...(isOfMerge ? [] : [choose('people', modelUser, context, other).id]),
  ];
  const people = [...new Set(requestedIds)];
  const hasVisibleItems = own !== undefined && listPersonItems(library, own).length > 0;
  const merged = mergedPeople.filter((person) => people.includes(person.id) && person.holderId === id);
  const isKnown = people.every((personId) => [...merged, ...library.people].some((person) => person.id === personId));
  const expectedError = hasVisibleItems && isKnown ? undefined : expectNotFound('person');
  const response = await callAs(modelUser, 'separatePeople', { params: { id }, body: { people } }, expectedError);
  if (response === undefined || own === undefined) return;
  for (const each of merged.toSorted((a, b) => b.at - a.at)) separatePeople(library, own, each);
  removePeople(library, (person) => person === own);
});

/** Steps that merge people or remove faces, and undo both, with their weights. */
export const correctionSteps = [
  { weight: 3, arbitrary: remove },
  { weight: 3, arbitrary: returnToPerson },
  { weight: 2, arbitrary: merge },
  { weight: 3, arbitrary: separate },
];
