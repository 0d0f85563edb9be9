import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import {
  callAs,
  toExpectedExplored,
  toExpectedItem,
  expectList,
  expectNotFound,
  toSeenCollection,
  toSeenItem,
  type ModelUser,
  type ModelContext,
} from './expectations.ts';
import { compareByName, itemsOfExplored, listExplored, listNames, type ExploredKind } from './library.ts';
import { anyChoice, anyCover, anyPaging, choose, step, type Choice } from './steps.ts';

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
const chooseExplored = (kind: ExploredKind, modelUser: ModelUser, context: ModelContext, choice: Choice) => {
  const { id, own } = choose(kind, modelUser, context, choice);
  const items = own === undefined ? [] : itemsOfExplored(modelUser.library, kind, own);
  return { id, own, items, expectedError: items.length === 0 ? expectNotFound(kind) : undefined };
};

const listExploredStep = step('list explored', fc.tuple(anyKind, anyPaging), async (modelUser, [kind, paging]) => {
  const expected = listExplored(modelUser.library, kind).map((each) =>
    toExpectedExplored(modelUser.library, kind, each),
  );
  await expectList(modelUser, kinds[kind].list, {}, paging, expected, toSeenCollection);
});

const getExplored = step('get explored', fc.tuple(anyKind, anyChoice), async (modelUser, [kind, choice], context) => {
  const { id, own, expectedError } = chooseExplored(kind, modelUser, context, choice);
  const response = await callAs(modelUser, kinds[kind].get, { params: { id } }, expectedError);
  if (response !== undefined)
    assert.deepEqual(toSeenCollection(response.body), toExpectedExplored(modelUser.library, kind, own!));
});

const listExploredItems = step(
  'list items of explored',
  fc.tuple(anyKind, anyChoice, anyPaging),
  async (modelUser, [kind, choice, paging], context) => {
    const { id, items, expectedError } = chooseExplored(kind, modelUser, context, choice);
    const expected = items.map((item) => toExpectedItem(modelUser.library, item));
    await expectList(modelUser, kinds[kind].items, { params: { id } }, paging, expected, toSeenItem, expectedError);
  },
);

const chooseExploredCover = step(
  'cover of explored',
  fc.tuple(anyKind, anyChoice, anyCover),
  async (modelUser, [kind, choice, cover], context) => {
    const { id, own, items, expectedError } = chooseExplored(kind, modelUser, context, choice);
    const shownId = cover && (cover.isShown ? items[cover.choice.index % items.length]?.id : undefined);
    const coverMediaItemId = cover && (shownId ?? choose('items', modelUser, context, cover.choice).id);
    const isShown = coverMediaItemId === null || items.some((item) => item.id === coverMediaItemId);
    const expected = expectedError ?? (isShown ? undefined : expectNotFound('media item'));
    const response = await callAs(
      modelUser,
      kinds[kind].update,
      { params: { id }, body: { coverMediaItemId } },
      expected,
    );
    if (response !== undefined) own!.coverId = coverMediaItemId;
  },
);

const listExploredOfItemStep = step(
  'explored of item',
  fc.tuple(anyKind, anyChoice, anyPaging),
  async (modelUser, [kind, choice, paging], context) => {
    const { id, own } = choose('items', modelUser, context, choice);
    const expectedError = own === undefined ? expectNotFound('media item') : undefined;
    const names = own === undefined ? [] : listNames(own, kind);
    const explored = modelUser.library[kind].filter(({ name }) => names.includes(name)).toSorted(compareByName);
    const expected = explored.map((each) => toExpectedExplored(modelUser.library, kind, each));
    await expectList(
      modelUser,
      kinds[kind].ofItem,
      { params: { id } },
      paging,
      expected,
      toSeenCollection,
      expectedError,
    );
  },
);

/** All steps on places and things, with their weights. */
export const exploredSteps = [
  { weight: 4, arbitrary: listExploredStep },
  { weight: 2, arbitrary: getExplored },
  { weight: 4, arbitrary: listExploredItems },
  { weight: 2, arbitrary: chooseExploredCover },
  { weight: 2, arbitrary: listExploredOfItemStep },
];
