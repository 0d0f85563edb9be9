import { fc } from '../../run/fastCheck.ts';
import type { Actor, Scene, Walk } from './expectations.ts';
import type { Album, Collection, Item, Job, Person } from './library.ts';

/** One thing that happens; fails where the server and the model do not agree on it. */
export interface Step {
  readonly run: (scene: Scene) => Promise<unknown>;
}

/** A step of one of the users, of which a failure tells the name and the values. */
export const step = <Values>(
  name: string,
  values: fc.Arbitrary<Values>,
  run: (actor: Actor, values: Values, scene: Scene) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  fc.tuple(fc.nat({ max: 2 }), values).map(
    ([user, given]) =>
      ({
        run: (scene) => run(scene.actors[user]!, given, scene),
        toString: () => `${name} of ${user} ${fc.stringify(given)}`,
      }) as Step,
  );

/** Chooses one of what there will be. */
export const anyIndex = fc.nat({ max: 1_000 });

/** Pages at the edges of short lists, and walks through long ones. */
export const anyWalk: fc.Arbitrary<Walk> = fc.record({
  page: fc.integer({ min: 1, max: 4 }),
  limit: fc.constantFrom(1, 2, 3, 5, 15, 200),
  steps: fc.constantFrom(0, 1, 2, 6),
});

export const pick = <Entry>(list: readonly Entry[], index: number): Entry | undefined => list[index % list.length];

const nowhere = '00000000-0000-4000-8000-000000000000';

/** Which item a call names: mostly one of the user's, sometimes another user's, one that was removed, or none at all. */
export interface Choice {
  readonly whose: 'own' | 'foreign' | 'nobody';
  readonly index: number;
}
export const anyChoice: fc.Arbitrary<Choice> = fc.record({
  whose: fc.oneof(
    { weight: 14, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
    { weight: 1, arbitrary: fc.constant('nobody' as const) },
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

/** What a choice names: its id, and the thing itself where it is the user's. */
export const choose = <Kind extends keyof Kinds>(
  kind: Kind,
  actor: Actor,
  { actors }: Scene,
  { whose, index }: Choice,
): { readonly id: string; readonly own: Kinds[Kind] | undefined } => {
  const listOf = ({ library }: Actor) => library[kind] as unknown as readonly Kinds[Kind][];
  const own = whose === 'own' ? pick(listOf(actor), index) : undefined;
  const others = actors.filter((each) => each !== actor).flatMap(listOf);
  const foreign = whose === 'foreign' ? pick(others, index) : undefined;
  return { id: own?.id ?? foreign?.id ?? nowhere, own };
};

/** Some items that a call names at once. */
export const anyChoices = fc.array(anyChoice, { minLength: 1, maxLength: 6 });

/** True once in five times. */
export const mostlyNot = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

/** Mostly one of the items that the thing shows, so that it succeeds. */
export const anyCover = fc.option(fc.record({ isShown: mostlyNot.map((is) => !is), choice: anyChoice }), {
  nil: null,
  freq: 4,
});
