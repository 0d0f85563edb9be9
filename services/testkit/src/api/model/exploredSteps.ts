import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import {
  callAs,
  expectedExplored,
  expectedItem,
  expectList,
  notFound,
  seenCollection,
  seenItem,
  type Actor,
  type Scene,
} from './expectations.ts';
import { byName, itemsOfExplored, listExplored, namesOf, type ExploredKind } from './library.ts';
import { anyChoice, anyCover, anyWalk, choose, step, type Choice } from './steps.ts';

const kinds = {
  place: {
    list: 'listPlaces',
    get: 'getPlace',
    update: 'updatePlace',
    items: 'listPlaceMediaItems',
    ofItem: 'listMediaItemPlaces',
  },
  thing: {
    list: 'listThings',
    get: 'getThing',
    update: 'updateThing',
    items: 'listThingMediaItems',
    ofItem: 'listMediaItemThings',
  },
} as const;
const anyKind = fc.constantFrom('place' as const, 'thing' as const);

/** Chooses a place or thing. Without visible items it counts as missing. */
const chooseExplored = (kind: ExploredKind, actor: Actor, scene: Scene, choice: Choice) => {
  const { id, own } = choose(kind, actor, scene, choice);
  const items = own === undefined ? [] : itemsOfExplored(actor.library, kind, own);
  return { id, own, items, refusal: items.length === 0 ? notFound(kind) : undefined };
};

const listOfExplored = step('list explored', fc.tuple(anyKind, anyWalk), async (actor, [kind, walk]) => {
  const expected = listExplored(actor.library, kind).map((each) => expectedExplored(actor.library, kind, each));
  await expectList(actor, kinds[kind].list, {}, walk, expected, seenCollection);
});

const getExplored = step('get explored', fc.tuple(anyKind, anyChoice), async (actor, [kind, choice], scene) => {
  const { id, own, refusal } = chooseExplored(kind, actor, scene, choice);
  const answer = await callAs(actor, kinds[kind].get, { params: { id } }, refusal);
  if (answer !== undefined) assert.deepEqual(seenCollection(answer.body), expectedExplored(actor.library, kind, own!));
});

const listExploredItems = step(
  'list items of explored',
  fc.tuple(anyKind, anyChoice, anyWalk),
  async (actor, [kind, choice, walk], scene) => {
    const { id, items, refusal } = chooseExplored(kind, actor, scene, choice);
    const expected = items.map((item) => expectedItem(actor.library, item));
    await expectList(actor, kinds[kind].items, { params: { id } }, walk, expected, seenItem, refusal);
  },
);

const chooseExploredCover = step(
  'cover of explored',
  fc.tuple(anyKind, anyChoice, anyCover),
  async (actor, [kind, choice, cover], scene) => {
    const { id, own, items, refusal } = chooseExplored(kind, actor, scene, choice);
    const shownId = cover && (cover.isShown ? items[cover.choice.index % items.length]?.id : undefined);
    const coverMediaItemId = cover && (shownId ?? choose('items', actor, scene, cover.choice).id);
    const isShown = coverMediaItemId === null || items.some((item) => item.id === coverMediaItemId);
    const expected = refusal ?? (isShown ? undefined : notFound('media item'));
    const answer = await callAs(actor, kinds[kind].update, { params: { id }, body: { coverMediaItemId } }, expected);
    if (answer !== undefined) own!.coverId = coverMediaItemId;
  },
);

const listExploredOfItem = step(
  'explored of item',
  fc.tuple(anyKind, anyChoice, anyWalk),
  async (actor, [kind, choice, walk], scene) => {
    const { id, own } = choose('items', actor, scene, choice);
    const refusal = own === undefined ? notFound('media item') : undefined;
    const names = own === undefined ? [] : namesOf(own, kind);
    const explored = actor.library[kind].filter(({ name }) => names.includes(name)).toSorted(byName);
    const expected = explored.map((each) => expectedExplored(actor.library, kind, each));
    await expectList(actor, kinds[kind].ofItem, { params: { id } }, walk, expected, seenCollection, refusal);
  },
);

/** All steps on places and things, with their weights. */
export const exploredSteps = [
  { weight: 4, arbitrary: listOfExplored },
  { weight: 2, arbitrary: getExplored },
  { weight: 4, arbitrary: listExploredItems },
  { weight: 2, arbitrary: chooseExploredCover },
  { weight: 2, arbitrary: listExploredOfItem },
];
