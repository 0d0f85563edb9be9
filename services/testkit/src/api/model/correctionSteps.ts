import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { callAs, expectNotFound, type ModelUser, type ModelContext } from './expectations.ts';
import type { Library, MergedPerson, Person, Rejection } from './library.ts';
import { removePeople, listPersonItems } from './people.ts';
import { choosePerson } from './peopleSteps.ts';
import { anyChoice, anyChoices, anyIndex, choose, rarelyTrue, pick, step, type Choice } from './steps.ts';

/** Removes a person's faces on some items. Each face gets a new person, because it is similar to no other. */
const remove = step(
  'remove from person',
  fc.tuple(anyChoice, anyChoices),
  async (modelUser, [choice, choices], context) => {
    const { library } = modelUser;
    const { id, refusal: expectedError, items } = choosePerson(modelUser, context, choice);
    const { mediaItems, itemRefusal } = chooseItems(
      modelUser,
      context,
      choices,
      items.map((item) => item.id),
    );
    const request = { params: { id }, body: { mediaItems } };
    if ((await callAs(modelUser, 'removeFromPerson', request, expectedError ?? itemRefusal)) === undefined) return;
    const taken = library.faces.filter((face) => face.personId === id && mediaItems.includes(face.itemId));
    for (const face of taken) {
      const { person_id } = await context.api.deps.db
        .selectFrom('faces')
        .select('person_id')
        .where('id', '=', face.id)
        .executeTakeFirstOrThrow();
      assert.ok(person_id !== null && library.people.every((person) => person.id !== person_id));
      library.people.push({ id: person_id, name: undefined, coverId: null, isHidden: false, created: context.calls });
      library.rejections = library.rejections.filter((said) => said.faceId !== face.id || said.personId !== id);
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
    const inside = library.merged.filter(({ holderId }) => holderId === id);
    const ofPerson = library.rejections.filter(({ personId }) => personId === id);
    const said = new Set([...ofPerson, ...inside.flatMap(({ rejections }) => rejections)].map(({ faceId }) => faceId));
    const shown = library.faces.filter((face) => said.has(face.id)).map(({ itemId }) => itemId);
    const { mediaItems, itemRefusal } = chooseItems(modelUser, context, choices, shown);
    const expectedError = own === undefined ? expectNotFound('person') : itemRefusal;
    const response = await callAs(modelUser, 'returnToPerson', { params: { id }, body: { mediaItems } }, expectedError);
    if (response === undefined) return;
    const faces = library.faces.filter((face) => said.has(face.id) && mediaItems.includes(face.itemId));
    const isOfFaces = ({ faceId }: Rejection): boolean => faces.some((face) => face.id === faceId);
    for (const merged of inside) merged.rejections = merged.rejections.filter((each) => !isOfFaces(each));
    library.rejections = library.rejections.filter((each) => each.personId !== id || !isOfFaces(each));
    const before = new Set(faces.map(({ personId }) => personId).filter((personId) => personId !== id));
    for (const face of faces) face.personId = id;
    removePeople(library, (person) => before.has(person.id));
  },
);

/** Chooses items for a call, mostly from `shown`. */
const chooseItems = (
  modelUser: ModelUser,
  context: ModelContext,
  choices: readonly Choice[],
  shown: readonly string[],
) => {
  const chosen = choices.map((each) => {
    const isOfList = each.whose === 'own' && each.index % 5 > 0;
    const id = isOfList ? pick(shown, each.index) : undefined;
    const any = choose('items', modelUser, context, each);
    return id === undefined ? any : { id, own: modelUser.library.items.find((item) => item.id === id) };
  });
  const isMissing = chosen.some(({ own }) => own === undefined);
  return { mediaItems: chosen.map(({ id }) => id), itemRefusal: isMissing ? expectNotFound('media item') : undefined };
};

const merge = step(
  'merge people',
  fc.tuple(anyChoice, fc.array(anyChoice, { minLength: 1, maxLength: 3 })),
  async (modelUser, [choice, choices], context) => {
    const { library } = modelUser;
    const kept = choosePerson(modelUser, context, choice);
    const others = choices.map((each: Choice) => choosePerson(modelUser, context, each));
    const expectedError = [kept, ...others].find((each) => each.refusal !== undefined)?.refusal;
    const body = { people: others.map(({ id }) => id) };
    const response = await callAs(modelUser, 'mergePeople', { params: { id: kept.id }, body }, expectedError);
    if (response === undefined || kept.own === undefined) return;
    const gone = [...new Set(others.map(({ own }) => own!))].filter((person) => person !== kept.own);
    mergePeople(library, kept.own, gone, context.calls);
  },
);

const mergePeople = (library: Library, kept: Person, gone: readonly Person[], at: number): void => {
  const namesake = kept.name === undefined ? gone.find(({ name }) => name !== undefined) : undefined;
  const isGone = (id: string): boolean => gone.some((person) => person.id === id);
  for (const each of library.merged) if (isGone(each.holderId)) each.holderId = kept.id;
  for (const person of gone) {
    const faces = library.faces.filter(({ personId }) => personId === person.id);
    const faceIds = new Set(faces.map(({ id }) => id));
    const rejections = library.rejections.filter(({ personId }) => personId === person.id);
    const gaveName = person === namesake;
    library.merged.push({ ...person, intoId: kept.id, holderId: kept.id, gaveName, at, faceIds, rejections });
    for (const face of faces) face.personId = kept.id;
  }
  library.rejections = library.rejections.filter(({ personId }) => !isGone(personId));
  library.people = library.people.filter((person) => !gone.includes(person));
  kept.name ??= namesake?.name;
};

const separatePeople = (library: Library, from: Person, merged: MergedPerson): void => {
  const { id, name, coverId, isHidden, created, rejections, at } = merged;
  const own = library.faces.filter((face) => merged.faceIds.has(face.id) && face.personId === from.id);
  library.merged = library.merged.filter((each) => each !== merged);
  const isInside = (each: MergedPerson): boolean =>
    each.intoId === id || library.merged.some((other) => other.id === each.intoId && isInside(other));
  if (merged.gaveName) from.name = undefined;
  if (own.length === 0) {
    library.merged = library.merged.filter((each) => !isInside(each));
    return;
  }
  for (const each of library.merged) if (isInside(each)) each.holderId = id;
  library.people.push({ id, name, coverId, isHidden, created });
  for (const face of own) face.personId = id;
  const since = library.rejections.filter((said) => said.personId === from.id && said.at > at);
  for (const said of [...rejections, ...since]) addRejection(library, { ...said, personId: id });
};

/** Adds a rejection unless it exists. */
const addRejection = ({ rejections }: Library, rejection: Rejection): void => {
  const { faceId, personId } = rejection;
  if (!rejections.some((said) => said.faceId === faceId && said.personId === personId)) rejections.push(rejection);
};

/** Mostly a merged person who can be separated. */
const anySeparation = fc.tuple(anyChoice, rarelyTrue, fc.array(anyIndex, { minLength: 1, maxLength: 2 }), anyChoice);

const separate = step('separate people', anySeparation, async (modelUser, [choice, isAny, indexes, other], context) => {
  const { library } = modelUser;
  const some = pick(library.merged, choice.index);
  const isOfMerge = choice.whose === 'own' && !isAny && some !== undefined;
  const { id, own } = isOfMerge
    ? { id: some.intoId, own: library.people.find((each) => each.id === some.intoId) }
    : choose('people', modelUser, context, choice);
  const inside = library.merged.filter((each) => each.intoId === id);
  const wanted = [
    ...indexes.flatMap((index) => pick(inside, index)?.id ?? []),
    ...(isOfMerge ? [] : [choose('people', modelUser, context, other).id]),
  ];
  const people = [...new Set(wanted)];
  const isShown = own !== undefined && listPersonItems(library, own).length > 0;
  const merged = inside.filter((each) => people.includes(each.id) && each.holderId === id);
  const isKnown = people.every(
    (each) => merged.some((one) => one.id === each) || library.people.some((person) => person.id === each),
  );
  const expectedError = isShown && isKnown ? undefined : expectNotFound('person');
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
