import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { recognise, makeDetectedFace } from '../../rows/faces.ts';
import { makeFaceGenerator } from '../../rows/generatedFaces.ts';
import {
  callAs,
  toExpectedItem,
  toExpectedPerson,
  expectList,
  expectNotFound,
  toSeenItem,
  toSeenPerson,
  type ModelUser,
  type ModelContext,
} from './expectations.ts';
import { removePeople, isUserDefined, listPersonItems, listPeople, listItemPeople } from './people.ts';
import { anyChoice, anyCover, anyIndex, anyPaging, choose, rarelyTrue, pick, step, type Choice } from './steps.ts';

/** Generates a face at one position in a picture: a face of an earlier run, or a new one without similar faces. */
const anyFace = fc.record({ place: fc.nat({ max: 3 }), quality: fc.constantFrom(0.1, 0.5, 0.5, 0.9) });
const anyFaces = fc.uniqueArray(anyFace, { maxLength: 3, selector: ({ place }) => place });

/** Generates dissimilar faces. `anyOrder.test.ts` of core tests the grouping of similar faces. */
const faceGenerator = makeFaceGenerator(1);

/** Writes faces like the component FACES. */
const findFaces = step('find faces', fc.tuple(anyIndex, anyFaces), async (modelUser, [index, detected], context) => {
  const { user, library } = modelUser;
  const { db } = context.api.deps;
  const item = pick(library.items, index);
  if (item === undefined) return;
  const row = { id: item.id, user_id: user.id };
  const detectedFaces = detected.map((face) => makeDetectedFace(row, faceGenerator.person(), face));
  await recognise(db, row, detectedFaces);
  const earlierFaces = library.faces.filter((face) => face.itemId === item.id);
  const before = new Set(earlierFaces.map(({ personId }) => personId));
  const written = await db
    .selectFrom('faces')
    .selectAll()
    .where('media_item_id', '=', item.id)
    .where('visibility', '<>', 'missed')
    .execute();
  const faces = detected.map(({ place, quality }) => {
    const found = written.find(({ box_left }) => box_left === place / 8)!;
    const [id, person_id] = [found.id, found.person_id!];
    const earlier = earlierFaces.find((face) => face.place === place);
    // A face at an earlier position keeps its person. A new face gets a new person.
    if (earlier === undefined) {
      assert.ok(library.people.every((person) => person.id !== person_id));
      const person = { id: person_id, name: undefined, coverId: null, isHidden: false, created: context.calls };
      library.people.push(person);
    } else assert.deepEqual([id, person_id], [earlier.id, earlier.personId]);
    return { id, itemId: item.id, place, quality, personId: person_id, isMissed: false };
  });
  assert.equal(written.length, faces.length);
  const missed = earlierFaces
    .filter(({ place }) => detected.every((face) => face.place !== place))
    .filter((face) => isUserDefined(library, face));
  for (const face of missed) face.isMissed = true;
  library.faces = [...library.faces.filter(({ itemId }) => itemId !== item.id), ...faces, ...missed];
  removePeople(library, ({ id }) => before.has(id));
});

/** Chooses a person. Without visible items they count as missing. */
export const choosePerson = (modelUser: ModelUser, context: ModelContext, choice: Choice) => {
  const { id, own } = choose('people', modelUser, context, choice);
  const items = own === undefined ? [] : listPersonItems(modelUser.library, own);
  return { id, own, items, expectedError: items.length === 0 ? expectNotFound('person') : undefined };
};

const list = step('list people', fc.tuple(rarelyTrue, anyPaging), async (modelUser, [hidden, paging]) => {
  const expected = listPeople(modelUser.library, hidden).map((person) => toExpectedPerson(modelUser.library, person));
  await expectList(modelUser, 'listPeople', { query: { hidden } }, paging, expected, toSeenPerson);
});

const get = step('get person', anyChoice, async (modelUser, choice, context) => {
  const { id, own, expectedError } = choosePerson(modelUser, context, choice);
  const response = await callAs(modelUser, 'getPerson', { params: { id } }, expectedError);
  if (response !== undefined) assert.deepEqual(toSeenPerson(response.body), toExpectedPerson(modelUser.library, own!));
});

const listItems = step(
  'list items of person',
  fc.tuple(anyChoice, anyPaging),
  async (modelUser, [choice, paging], context) => {
    const { id, items, expectedError } = choosePerson(modelUser, context, choice);
    const expected = items.map((item) => toExpectedItem(modelUser.library, item));
    await expectList(
      modelUser,
      'listPersonMediaItems',
      { params: { id } },
      paging,
      expected,
      toSeenItem,
      expectedError,
    );
  },
);

const anyChange = fc
  .record(
    { name: fc.constantFrom('Ada', 'ada', 'Änne', 'Zoe', null), hidden: fc.boolean(), cover: anyCover },
    { requiredKeys: [] },
  )
  .filter((change) => Object.keys(change).length > 0);

const update = step('update person', fc.tuple(anyChoice, anyChange), async (modelUser, [choice, change], context) => {
  const { cover, ...body } = change;
  const { id, own, items, expectedError } = choosePerson(modelUser, context, choice);
  const shownId = cover?.isShown ? items[cover.choice.index % items.length]?.id : undefined;
  const coverId = cover && (shownId ?? choose('items', modelUser, context, cover.choice).id);
  const isShown = !coverId || items.some((item) => item.id === coverId);
  const sentBody = { ...body, ...(coverId !== undefined && { coverMediaItemId: coverId }) };
  const expected = expectedError ?? (isShown ? undefined : expectNotFound('media item'));
  const response = await callAs(modelUser, 'updatePerson', { params: { id }, body: sentBody }, expected);
  if (response === undefined || own === undefined) return;
  if (body.name !== undefined) {
    own.name = body.name ?? undefined;
    // The name no longer depends on a merge.
    for (const each of modelUser.library.merged) if (each.intoId === own.id) each.gaveName = false;
  }
  own.isHidden = body.hidden ?? own.isHidden;
  if (coverId !== undefined) own.coverId = coverId;
});

const listOfItem = step(
  'people of item',
  fc.tuple(anyChoice, anyPaging),
  async (modelUser, [choice, paging], context) => {
    const { library } = modelUser;
    const { id, own } = choose('items', modelUser, context, choice);
    const expectedError = own === undefined ? expectNotFound('media item') : undefined;
    const people = own === undefined ? [] : listItemPeople(library, own);
    const expected = people.map((person) => toExpectedPerson(library, person));
    await expectList(
      modelUser,
      'listMediaItemPeople',
      { params: { id } },
      paging,
      expected,
      toSeenPerson,
      expectedError,
    );
  },
);

/** All steps on people, with their weights. */
export const peopleSteps = [
  { weight: 6, arbitrary: findFaces },
  { weight: 4, arbitrary: list },
  { weight: 2, arbitrary: get },
  { weight: 3, arbitrary: listItems },
  { weight: 4, arbitrary: update },
  { weight: 2, arbitrary: listOfItem },
];
