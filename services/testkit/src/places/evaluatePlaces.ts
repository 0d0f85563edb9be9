import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainMissingTestData, getTestDataFolder } from '../run/testData.ts';
import type { Places } from '@hearth/worker/places/places.ts';

/** A position with patterns of the expected names. They are null at sea and on lakes. */
export interface TestPoint {
  readonly label: string;
  readonly lat: number;
  readonly lon: number;
  readonly kind: string;
  readonly country: string | null;
  readonly state: string | null;
  readonly town: string | null;
  readonly postcode: string | null;
}

/** Number of points that lie in a country, and number of correct values. */
export interface PlacesEvaluation {
  readonly points: number;
  readonly country: number;
  readonly state: number;
  readonly town: number;
  readonly postcode: number;
  /** Points with a postcode in a country whose postcodes are in the places file. */
  readonly postcodesKnown: number;
  /** Points at sea that wrongly got a place. */
  readonly atSea: readonly string[];
  /** A line for each point with an incorrect value. */
  readonly wrong: readonly string[];
}

/** Folder with the postcodes of some countries, in the layout of `HEARTH_GEO_MIRROR`. */
export const testMirror = getTestDataFolder('geo');

const path = join(testMirror, 'test-points.json');

/** Reason to skip tests that need the points, or false. */
export const lacksTestPoints = explainMissingTestData('geo');

export const readTestPoints = (): TestPoint[] => JSON.parse(readFileSync(path, 'utf8')) as TestPoint[];

/** Compares the places found for each point with its patterns. */
export const evaluatePlaces = (places: Places, points: readonly TestPoint[]): PlacesEvaluation => {
  const evaluated = points.filter(({ country }) => country).map((point) => evaluatePoint(places, point));
  const count = (field: keyof (typeof evaluated)[number]['correct']): number =>
    evaluated.filter(({ correct }) => correct[field]).length;
  return {
    points: evaluated.length,
    country: count('country'),
    state: count('state'),
    town: count('town'),
    postcode: count('postcode'),
    postcodesKnown: evaluated.filter(({ correct }) => correct.postcode !== undefined).length,
    atSea: points
      .filter(({ kind, lat, lon }) => kind === 'sea' && places.find({ latitude: lat, longitude: lon }) !== undefined)
      .map(({ label }) => label),
    wrong: evaluated.filter(({ correct }) => Object.values(correct).includes(false)).map(({ line }) => line),
  };
};

const evaluatePoint = (places: Places, { label, lat, lon, ...expected }: TestPoint) => {
  const found = places.find({ latitude: lat, longitude: lon });
  const isPostcodeKnown = Boolean(expected.postcode) && places.about.postcodesOf.includes(expected.country ?? '');
  return {
    correct: {
      country: found?.countryCode === expected.country,
      state: matches(expected.state, found?.state),
      town: matches(expected.town, found?.town),
      postcode: isPostcodeKnown ? matches(expected.postcode, found?.postcode) : undefined,
    },
    line: `${label}: ${JSON.stringify(found)}`,
  };
};

const matches = (pattern: string | null, text: string | undefined): boolean =>
  new RegExp(pattern ?? '').test(text ?? '');
