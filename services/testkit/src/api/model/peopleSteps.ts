import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { recognise, seenOn } from '../../rows/faces.ts';
import { makeFaces } from '../../rows/madeFaces.ts';
import {
  callAs,
  expectedItem,
  expectedPerson,
  expectList,
  notFound,
  seenItem,
  seenPerson,
  type Actor,
  type Scene,
} from './expectations.ts';
import { forgetPeople, isTold, itemsOfPerson, listPeople, peopleOfItem } from './people.ts';
import { anyChoice, anyCover, anyIndex, anyWalk, choose, mostlyNot, pick, step, type Choice } from './steps.ts';

/** A face at one position of a picture: that of an earlier run, or a new one that is similar to no other. */
const anyFound = fc.record({ place: fc.nat({ max: 3 }), quality: fc.constantFrom(0.1, 0.5, 0.5, 0.9) });
const anyFaces = fc.uniqueArray(anyFound, { maxLength: 3, selector: ({ place }) => place });

/** Faces that are all dissimilar. `anyOrder.test.ts` of core tests the grouping of similar faces. */
const looks = makeFaces(1);

/** Writes faces as the component FACES does. */
const findFaces = step('find faces', fc.tuple(anyIndex, anyFaces), async (actor, [index, wanted], scene) => {
  const { user, library } = actor;
  const { db } = scene.api.deps;
  const item = pick(library.items, index);
  if (item === undefined) return;
  const row = { id: item.id, user_id: user.id };
  const seen = wanted.map((face) => seenOn(row, looks.person(), face));
  await recognise(db, row, seen);
  const there = library.faces.filter((face) => face.itemId === item.id);
  const before = new Set(there.map(({ personId }) => personId));
  const written = await db
    .selectFrom('faces')
    .selectAll()
    .where('media_item_id', '=', item.id)
    .where('visibility', '<>', 'missed')
    .execute();
  const faces = wanted.map(({ place, quality }) => {
    const found = written.find(({ box_left }) => box_left === place / 8)!;
    const [id, person_id] = [found.id, found.person_id!];
    const earlier = there.find((face) => face.place === place);
    // A face at an earlier position keeps its person. A new face gets a new person.
    if (earlier === undefined) {
      assert.ok(library.people.every((person) => person.id !== person_id));
      const made = { id: person_id, name: undefined, coverId: null, isHidden: false, created: scene.calls };
      library.people.push(made);
    } else assert.deepEqual([id, person_id], [earlier.id, earlier.personId]);
    return { id, itemId: item.id, place, quality, personId: person_id, isMissed: false };
  });
  assert.equal(written.length, faces.length);
  const missed = there
    .filter(({ place }) => wanted.every((face) => face.place !== place))
    .filter((face) => isTold(library, face));
  for (const face of missed) face.isMissed = true;
  library.faces = [...library.faces.filter(({ itemId }) => itemId !== item.id), ...faces, ...missed];
  forgetPeople(library, ({ id }) => before.has(id));
});

/** Chooses a person. Without visible items they count as missing. */
export const choosePerson = (actor: Actor, scene: Scene, choice: Choice) => {
  const { id, own } = choose('people', actor, scene, choice);
  const items = own === undefined ? [] : itemsOfPerson(actor.library, own);
  return { id, own, items, refusal: items.length === 0 ? notFound('person') : undefined };
};

const list = step('list people', fc.tuple(mostlyNot, anyWalk), async (actor, [hidden, walk]) => {
  const expected = listPeople(actor.library, hidden).map((person) => expectedPerson(actor.library, person));
  await expectList(actor, 'listPeople', { query: { hidden } }, walk, expected, seenPerson);
});

const get = step('get person', anyChoice, async (actor, choice, scene) => {
  const { id, own, refusal } = choosePerson(actor, scene, choice);
  const answer = await callAs(actor, 'getPerson', { params: { id } }, refusal);
  if (answer !== undefined) assert.deepEqual(seenPerson(answer.body), expectedPerson(actor.library, own!));
});

const listItems = step('list items of person', fc.tuple(anyChoice, anyWalk), async (actor, [choice, walk], scene) => {
  const { id, items, refusal } = choosePerson(actor, scene, choice);
  const expected = items.map((item) => expectedItem(actor.library, item));
  await expectList(actor, 'listPersonMediaItems', { params: { id } }, walk, expected, seenItem, refusal);
});

const anyChange = fc
  .record(
    { name: fc.constantFrom('Ada', 'ada', 'Änne', 'Zoe', null), hidden: fc.boolean(), cover: anyCover },
    { requiredKeys: [] },
  )
  .filter((change) => Object.keys(change).length > 0);

const update = step('update person', fc.tuple(anyChoice, anyChange), async (actor, [choice, change], scene) => {
  const { cover, ...body } = change;
  const { id, own, items, refusal } = choosePerson(actor, scene, choice);
  const shownId = cover?.isShown ? items[cover.choice.index % items.length]?.id : undefined;
  const coverId = cover && (shownId ?? choose('items', actor, scene, cover.choice).id);
  const isShown = !coverId || items.some((item) => item.id === coverId);
  const given = { ...body, ...(coverId !== undefined && { coverMediaItemId: coverId }) };
  const expected = refusal ?? (isShown ? undefined : notFound('media item'));
  const answer = await callAs(actor, 'updatePerson', { params: { id }, body: given }, expected);
  if (answer === undefined || own === undefined) return;
  if (body.name !== undefined) {
    own.name = body.name ?? undefined;
    // The name no longer depends on a merge.
    for (const each of actor.library.merged) if (each.intoId === own.id) each.gaveName = false;
  }
  own.isHidden = body.hidden ?? own.isHidden;
  if (coverId !== undefined) own.coverId = coverId;
});

const listOfItem = step('people of item', fc.tuple(anyChoice, anyWalk), async (actor, [choice, walk], scene) => {
  const { library } = actor;
  const { id, own } = choose('items', actor, scene, choice);
  const refusal = own === undefined ? notFound('media item') : undefined;
  const people = own === undefined ? [] : peopleOfItem(library, own);
  const expected = people.map((person) => expectedPerson(library, person));
  await expectList(actor, 'listMediaItemPeople', { params: { id } }, walk, expected, seenPerson, refusal);
});

/** All steps on people, with their weights. */
export const peopleSteps = [
  { weight: 6, arbitrary: findFaces },
  { weight: 4, arbitrary: list },
  { weight: 2, arbitrary: get },
  { weight: 3, arbitrary: listItems },
  { weight: 4, arbitrary: update },
  { weight: 2, arbitrary: listOfItem },
];
