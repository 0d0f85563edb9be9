import { fc } from '../../run/fastCheck.ts';
import { mediaItemCategories, mediaItemTypes } from '@hearth/contract/vocabulary.ts';
import { toExpectedItem, expectList, toSeenItem, type ModelUser, type ModelContext } from './expectations.ts';
import { isVisible, filterItems, listNames, type Item } from './library.ts';
import { anyChoice, anyPaging, choose, step, type Choice } from './steps.ts';

const anyDay = fc.constantFrom('1926-02-01', '2020-02-29', '2022-04-03', '2022-04-30');
const anyFilters = fc
  .record(
    {
      type: fc.constantFrom(...mediaItemTypes),
      category: fc.constantFrom(...mediaItemCategories),
      favourite: fc.boolean(),
      from: anyDay,
      to: anyDay,
      albums: fc.array(anyChoice, { minLength: 1, maxLength: 2 }),
      places: fc.array(anyChoice, { minLength: 1, maxLength: 2 }),
      things: fc.array(anyChoice, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .chain((filters) => {
    const names = Object.keys(filters) as (keyof typeof filters)[];
    return fc.subarray(names, { maxLength: Math.min(2, names.length) }).map((chosen) => [filters, chosen] as const);
  })
  .filter(([, names]) => names.length > 0)
  .map(([filters, names]) => Object.fromEntries(names.map((name) => [name, filters[name]])) as typeof filters)
  .filter(({ from, to }) => from === undefined || to === undefined || from <= to);

const search = step(
  'search by filters',
  fc.tuple(anyFilters, anyPaging),
  async (modelUser, [filters, paging], context) => {
    const { library } = modelUser;
    const { albums, places, things, favourite, ...itemFilters } = filters;
    const chosenCollections = {
      albums: albums && chooseAll('albums', modelUser, context, albums),
      places: places && chooseAll('place', modelUser, context, places),
      things: things && chooseAll('thing', modelUser, context, things),
    };
    const isFound = (item: Item): boolean =>
      isVisible(item) &&
      (itemFilters.type ?? item.type) === item.type &&
      (itemFilters.category ?? item.category) === item.category &&
      (itemFilters.from ?? '') <= item.localTime.slice(0, 10) &&
      (itemFilters.to === undefined || item.localTime.slice(0, 10) <= itemFilters.to) &&
      (favourite === undefined || (!library.off.has('favourites') && item.isFavourite === favourite)) &&
      (chosenCollections.albums === undefined ||
        (!library.off.has('albums') &&
          chosenCollections.albums.some(({ own: album }) => album?.itemIds.has(item.id) === true))) &&
      (chosenCollections.places === undefined ||
        (!library.off.has('places') &&
          chosenCollections.places.some(
            ({ own: place }) => place !== undefined && listNames(item, 'place').includes(place.name),
          ))) &&
      (chosenCollections.things === undefined ||
        (!library.off.has('things') &&
          chosenCollections.things.every(
            ({ own: thing }) => thing !== undefined && listNames(item, 'thing').includes(thing.name),
          )));
    const ids = Object.fromEntries(
      Object.entries(chosenCollections).flatMap(([name, chosen]) =>
        chosen === undefined ? [] : [[name, chosen.map(({ id }) => id).join(',')]],
      ),
    );
    const expected = filterItems(library, isFound).map((item) => toExpectedItem(library, item));
    const query = { ...itemFilters, ...ids, ...(favourite !== undefined && { favourite }) };
    await expectList(modelUser, 'searchMediaItems', { query }, paging, expected, toSeenItem);
  },
);

const chooseAll = <Kind extends 'albums' | 'place' | 'thing'>(
  kind: Kind,
  modelUser: ModelUser,
  context: ModelContext,
  choices: readonly Choice[],
) => choices.map((choice) => choose(kind, modelUser, context, choice));

/** Searches that the model can predict, with their weights. */
export const searchSteps = [{ weight: 8, arbitrary: search }];
