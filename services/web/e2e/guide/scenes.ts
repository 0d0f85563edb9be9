import { landscapeHeight, type Landscape } from '@hearth/testkit/pictures/landscapes.ts';
import { drawFigure, appearances, things, type Head } from './drawFigures.ts';

/** Drawn photo of the guide, with the faces and objects that models would recognize. */
export interface Scene extends Landscape {
  readonly people: readonly { readonly name: keyof typeof appearances; readonly head: Head }[];
  readonly things: readonly string[];
}

type Place = Landscape['place'];

/** Objects in every landscape of a place. */
const thingsByPlace: Readonly<Record<Place, readonly string[]>> = {
  lake: ['Lake', 'Mountain'],
  coast: ['Coast'],
  forest: ['Valley'],
};

/** People side by side in front of a landscape. */
const makePortrait = (
  takenAt: string,
  place: Place,
  names: readonly (keyof typeof appearances)[],
  ratio = 1.5,
): Scene => {
  const width = landscapeHeight * ratio;
  const people = names.map((name, index) => {
    const radius = names.length > 1 ? 70 : 96;
    return { name, head: { x: (width * (index + 1)) / (names.length + 1), y: 300 + (index % 2) * 34, radius } };
  });
  const front = people.map(({ name, head }) => drawFigure(appearances[name], head)).join('');
  return { takenAt, place, ratio, front, people, things: thingsByPlace[place] };
};

/** Object in a landscape. */
const makeStill = (takenAt: string, place: Place, thing: keyof typeof things, ratio = 1.33): Scene => ({
  takenAt,
  place,
  ratio,
  front: things[thing](landscapeHeight * ratio * 0.5, landscapeHeight * 0.42),
  people: [],
  things: [thing, ...(thing === 'Cake' ? [] : thingsByPlace[place])],
});

const padTwo = (number: number): string => String(number).padStart(2, '0');

/** Returns all scenes for a library that is opened on `day`. The first were taken on that day in earlier years. */
export const listScenes = (day: Date): readonly Scene[] => {
  const inYear = (yearsAgo: number): string =>
    `${day.getFullYear() - yearsAgo}:${padTwo(day.getMonth() + 1)}:${padTwo(day.getDate())} 11:40:00`;
  return [
    makePortrait(inYear(2), 'forest', ['Ada', 'Dario']),
    makeStill(inYear(2), 'forest', 'Tent'),
    makeStill(inYear(5), 'coast', 'Boat'),
    makePortrait('2026:07:18 17:05:00', 'lake', ['Ada', 'Bela', 'Cleo'], 1.78),
    makePortrait('2026:07:18 17:20:00', 'lake', ['Ada'], 1.33),
    makePortrait('2026:07:18 17:40:00', 'lake', ['Bela', 'Ada']),
    makeStill('2026:07:18 18:10:00', 'lake', 'Boat', 1.5),
    makeStill('2026:07:17 15:00:00', 'lake', 'Balloon', 1.33),
    makePortrait('2026:07:17 15:30:00', 'lake', ['Cleo'], 1.5),
    makeStill('2026:07:16 16:00:00', 'forest', 'Tent', 1.5),
    makePortrait('2026:07:16 16:30:00', 'forest', ['Dario', 'Cleo']),
    makePortrait('2026:07:12 15:00:00', 'coast', ['Dario'], 1.33),
    makePortrait('2026:07:12 15:20:00', 'coast', ['Bela', 'Dario']),
    makePortrait('2026:07:12 15:40:00', 'coast', ['Bela'], 0.8),
    makeStill('2026:07:12 16:00:00', 'coast', 'Boat', 1.78),
    makeStill('2026:07:11 19:00:00', 'coast', 'Cake', 1.33),
    makeStill('2026:07:11 17:00:00', 'coast', 'Balloon', 1.5),
  ];
};
