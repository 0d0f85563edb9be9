import { fc } from '../../run/fastCheck.ts';
import type { ModelUser, ModelContext, Paging } from './expectations.ts';
import type { Album, Collection, Item, Job, Person } from './library.ts';

/** A step of the model test. Fails if the server and the model disagree. */
export interface Step {
  readonly run: (context: ModelContext) => Promise<unknown>;
}

/** Makes a step that one of the users performs. Failures show its name and values. */
export const step = <Values>(
  name: string,
  values: fc.Arbitrary<Values>,
  run: (modelUser: ModelUser, values: Values, context: ModelContext) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  fc.tuple(fc.nat({ max: 2 }), values).map(
    ([user, generated]) =>
      ({
        run: (context) => run(context.actors[user]!, generated, context),
        toString: () => `${name} of ${user} ${fc.stringify(generated)}`,
      }) as Step,
  );

/** Generates an index into a list of unknown length; see `pick`. */
export const anyIndex = fc.nat({ max: 1_000 });

/** Generates pages around the ends of short lists, and reads of several pages. */
export const anyPaging: fc.Arbitrary<Paging> = fc.record({
  page: fc.integer({ min: 1, max: 4 }),
  limit: fc.constantFrom(1, 2, 3, 5, 15, 200),
  steps: fc.constantFrom(0, 1, 2, 6),
});

export const pick = <Entry>(list: readonly Entry[], index: number): Entry | undefined => list[index % list.length];

const unknownId = '00000000-0000-4000-8000-000000000000';

/** Target of a call: mostly an object of the user, sometimes another user's, or an unknown id. */
export interface Choice {
  readonly whose: 'own' | 'foreign' | 'unknown';
  readonly index: number;
}
export const anyChoice: fc.Arbitrary<Choice> = fc.record({
  whose: fc.oneof(
    { weight: 14, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
  index: anyIndex,
});

interface Kinds {
  readonly items: Item;
  readonly albums: Album;
  readonly place: Collection;
  readonly thing: Collection;
  readonly people: Person;
  readonly jobs: Job;
}

/** Returns the id of the chosen object, and the object itself if it is the user's. */
export const choose = <Kind extends keyof Kinds>(
  kind: Kind,
  modelUser: ModelUser,
  { actors }: ModelContext,
  { whose, index }: Choice,
): { readonly id: string; readonly own: Kinds[Kind] | undefined } => {
  const getList = ({ library }: ModelUser) => library[kind] as unknown as readonly Kinds[Kind][];
  const own = whose === 'own' ? pick(getList(modelUser), index) : undefined;
  const others = actors.filter((each) => each !== modelUser).flatMap(getList);
  const foreign = whose === 'foreign' ? pick(others, index) : undefined;
  return { id: own?.id ?? foreign?.id ?? unknownId, own };
};

/** Generates several targets of one call. */
export const anyChoices = fc.array(anyChoice, { minLength: 1, maxLength: 6 });

/** Generates true in one of five cases. */
export const rarelyTrue = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

/** Generates a cover: mostly an item of the collection, so that the call succeeds, or null to reset the cover. */
export const anyCover = fc.option(fc.record({ isShown: rarelyTrue.map((value) => !value), choice: anyChoice }), {
  nil: null,
  freq: 4,
});
